import type { CommandResult } from '#database/schema';
import type { PaymentWithRefunds } from '#database/subjects';
import type { RefusalCode } from '#workflows/lifecycle/payment';
import { invalid, Problem } from '../problems/problem.js';
import { paymentActionsOf } from '../wire/payment-actions.js';

/** The problem of a command that failed: 402 when the provider declined it, 409 or 422 when we refused it. */
export function problemOfCommand(
  payment: PaymentWithRefunds,
  kind: 'refused' | 'failed',
  { code = 'provider_refused', reason }: Partial<CommandResult>,
): Problem {
  if (kind === 'refused') return refused(payment, code, reason ?? 'The payment does not allow this.');
  return new Problem('payment-declined', {
    code,
    ...(reason !== undefined && { detail: reason }),
    ...situationOf(payment),
  });
}

/** Its amount is wrong (422), or the payment's state does not allow it (409). */
function refused(payment: PaymentWithRefunds, code: string, detail: string): Problem {
  const ofAmount: readonly string[] = [
    'amount_exceeds_capturable',
    'amount_exceeds_reauthorizable',
  ] satisfies RefusalCode[];
  if (ofAmount.includes(code)) {
    return invalid({ pointer: '/amount', detail });
  }
  return new Problem('conflict', { code, detail, ...situationOf(payment) });
}

function situationOf({ id, status, state, refunds }: PaymentWithRefunds) {
  const returns = refunds.map((refund) => refund.state);
  return {
    currentState: status,
    allowedActions: paymentActionsOf(state, returns, Date.now()),
    paymentId: id,
  };
}
