import type { CommandRow } from '../../../../libs/database/src/schema.js';
import type { PaymentMessage } from '../../../../libs/workflows/src/contract.js';

/**
 * What a run is told of a command, from the command's row: the same as it was told when it was accepted, under the same
 * id. Undefined for an order, which no run is told of because it is why there is one, and for an operator's decision,
 * whose caller is answered by the run itself and gives it again.
 */
export function messageOfCommand({ id, kind, parameters }: CommandRow): PaymentMessage | undefined {
  switch (kind) {
    case 'create':
    case 'decide':
      return undefined;
    case 'capture':
      return { id, event: { type: 'captureRequested', commandId: id, ...captureParameters(parameters) } };
    case 'void':
      return { id, event: { type: 'voidRequested', commandId: id } };
  }
}

function captureParameters({ minor, final }: Record<string, unknown>) {
  return {
    ...(typeof minor === 'number' && { minor }),
    ...(typeof final === 'boolean' && { final }),
  };
}
