import type { CommandRow, PaymentRow } from '../../../../libs/database/src/schema.js';
import type { Refusal } from '../../../../libs/workflows/src/lifecycle/payment.js';
import { allowedActions } from '../../../../libs/workflows/src/lifecycle/transition.js';
import { invalid, Problem } from '../problems/problem.js';

export function isFinal({ status }: CommandRow): boolean {
  return status === 'succeeded' || status === 'failed' || status === 'refused';
}

/** @throws {Problem} for a command that came to nothing: 402 when the provider declined, 409 or 422 when we refused. */
export function assertNotRejected(command: CommandRow, payment: PaymentRow): void {
  const code = command.result?.code ?? 'provider_refused';
  const reason = command.result?.reason;
  if (command.status === 'refused') throw refused({ code, reason }, payment);
  if (command.status !== 'failed') return;
  throw new Problem('payment-declined', {
    code,
    ...(reason !== undefined && { detail: reason }),
    currentState: payment.status,
    allowedActions: allowedActions(payment.state, Date.now()),
    paymentId: payment.id,
  });
}

/** What the order service is told of a refusal: its amount is wrong, or the payment stands elsewhere by now. */
export function refused(
  { code, reason }: { readonly code: string; readonly reason: string | undefined },
  payment: PaymentRow,
): Problem {
  const detail = reason ?? 'The payment does not allow this.';
  if (code === ('amount_exceeds_capturable' satisfies Refusal['code'])) {
    return invalid({ pointer: '/amount', detail });
  }
  return new Problem('conflict', {
    code,
    detail,
    currentState: payment.status,
    allowedActions: allowedActions(payment.state, Date.now()),
    paymentId: payment.id,
  });
}
