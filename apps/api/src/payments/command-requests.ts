import type { PaymentRow } from '#database/schema';
import { invalid } from '../problems/problem.js';
import { bodyHash } from '../commands/idempotency.js';
import type { CaptureAnswer } from './payment-answers.js';
import type { CommandAnswer } from '../commands/command-sender.js';
import type { PaymentCommand } from './payment-commands.js';
import type { CaptureRequest, ReauthorizeRequest } from './payment-requests.js';
import { viewCaptures } from './payment-view.js';

export function captureCommand(
  paymentId: string,
  idempotencyKey: string,
  request: CaptureRequest,
): PaymentCommand {
  const { amount, final } = request;
  const parameters = {
    ...(amount && { minor: amount.minor }),
    ...(final !== undefined && { final }),
  };
  return {
    kind: 'capture',
    subjectId: paymentId,
    idempotencyKey,
    bodyHash: bodyHash(request),
    parameters,
    event: (commandId) => ({ type: 'captureRequested', commandId, ...parameters }),
    check: (payment) => assertSameCurrency(payment, request),
  };
}

/** A command without parameters. */
export function plainCommand(
  kind: 'void' | 'release' | 'cancel',
  paymentId: string,
  idempotencyKey: string,
): PaymentCommand {
  return {
    kind,
    subjectId: paymentId,
    idempotencyKey,
    bodyHash: bodyHash({}),
    parameters: {},
    event: (commandId) => ({ type: `${kind}Requested`, commandId }),
  };
}

export function reauthorizeCommand(
  paymentId: string,
  idempotencyKey: string,
  request: ReauthorizeRequest,
): PaymentCommand {
  const parameters = request.amount ? { minor: request.amount.minor } : {};
  return {
    kind: 'reauthorize',
    subjectId: paymentId,
    idempotencyKey,
    bodyHash: bodyHash(request),
    parameters,
    event: (commandId) => ({ type: 'reauthorizeRequested', commandId, ...parameters }),
    check: (payment) => assertSameCurrency(payment, request),
  };
}

/** The capture that a command made; null while the provider has not answered. */
export function captureOf({ command, row }: CommandAnswer<PaymentRow>): CaptureAnswer['capture'] {
  const { captures } = row.state;
  const made = captures.find(
    ({ captureId, commandId }) => commandId === command.id || captureId === command.result?.captureId,
  );
  return viewCaptures(row.state).find(({ id }) => id === made?.captureId) ?? null;
}

function assertSameCurrency({ state }: PaymentRow, { amount }: CaptureRequest | ReauthorizeRequest): void {
  const { currency } = state.order.amount;
  if (amount && amount.currency !== currency) {
    throw invalid({ pointer: '/amount/currency', detail: `must be ${currency}, as authorized` });
  }
}
