import { withoutEmails } from '../../../../libs/database/src/storable-text.js';
import type { PaymentRow } from '../../../../libs/database/src/schema.js';
import { invalid } from '../problems/problem.js';
import { bodyHash } from './idempotency.js';
import type { CaptureAnswer } from './payment-answers.js';
import type { CommandAnswer, CommandRequest } from './payment-commands.js';
import type { CaptureRequest, DecisionRequest } from './payment-requests.js';
import { showMoney } from './wire-money.js';

export function captureCommand(
  paymentId: string,
  idempotencyKey: string,
  request: CaptureRequest,
): CommandRequest {
  const { amount, final } = request;
  const parameters = {
    ...(amount && { minor: amount.minor }),
    ...(final !== undefined && { final }),
  };
  return {
    kind: 'capture',
    paymentId,
    idempotencyKey,
    bodyHash: bodyHash(request),
    parameters,
    event: (commandId) => ({ type: 'captureRequested', commandId, ...parameters }),
    check: (payment) => assertSameCurrency(payment, request),
  };
}

export function voidCommand(paymentId: string, idempotencyKey: string): CommandRequest {
  return {
    kind: 'void',
    paymentId,
    idempotencyKey,
    bodyHash: bodyHash({}),
    parameters: {},
    event: (commandId) => ({ type: 'voidRequested', commandId }),
  };
}

export function decisionCommand(
  paymentId: string,
  idempotencyKey: string,
  { decision, evidence, isUnverified, ...asked }: DecisionRequest,
): CommandRequest {
  const reason = withoutEmails(asked.reason);
  const parameters = {
    decision,
    reason,
    ...(evidence && { resourceId: evidence.resourceId }),
    ...(isUnverified && { isUnverified }),
  };
  return {
    kind: 'decide',
    paymentId,
    idempotencyKey,
    bodyHash: bodyHash(parameters),
    parameters,
    event: (commandId) => ({ type: 'reviewDecided', commandId, ...parameters }),
  };
}

/** The capture that a command made; null while the provider has not answered. */
export function shownCapture({ command, payment }: CommandAnswer): CaptureAnswer['capture'] {
  const { captures, order } = payment.state;
  const made = captures.find(
    ({ captureId, commandId }) => commandId === command.id || captureId === command.result?.captureId,
  );
  if (!made) return null;
  return {
    id: made.captureId,
    amount: showMoney(made.minor, order.amount.currency),
    status: made.status,
    final: made.final,
  };
}

function assertSameCurrency({ state }: PaymentRow, { amount }: CaptureRequest): void {
  const { currency } = state.order.amount;
  if (amount && amount.currency !== currency) {
    throw invalid({ pointer: '/amount/currency', detail: `must be ${currency}, as authorized` });
  }
}
