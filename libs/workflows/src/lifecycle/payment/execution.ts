import { isPutOff } from '../step/open-step.js';
import type { PaymentEventType } from './event.js';
import { steps } from './open-step.js';
import type { PaymentState } from './payment.js';
import { type Row, type Rule, openStepRow } from './row.js';
import { askPayerAgain, end, moved } from './rules.js';
import { takeUnlisted } from './unlisted.js';

export const cancelledByPayer = 'The payer cancelled.';
const cancelledUnsent = 'It was cancelled before it was executed.';

/**
 * An execution that waits to be repeated is proved undone: it can still be cancelled, as before it. A payer's cancellation
 * that comes while its outcome is not known is kept.
 */
export const executionRow: Row = {
  ...openStepRow,
  stepDeferred: unlessCancelled(steps.whileOpen.stepDeferred),
  stepProvedUndone: unlessCancelled(steps.whileOpen.stepProvedUndone),
  approvalFoundMissing: unlessCancelled(askPayerAgain),
  stepDeclined: (state, { reason }, now) => end(state, 'declined', now, reason),
  payerCancelled: (state, event, now) => {
    if (isUnsent(state)) return end(state, 'cancelled', now, cancelledByPayer);
    if (state.order.rules !== 2 || state.isCancelWaiting) return takeUnlisted(state, event);
    return moved({ ...state, isCancelWaiting: true });
  },
  payerApproved: (state, event) =>
    state.isCancelWaiting ? moved(withoutCancel(state)) : takeUnlisted(state, event),
  cancelRequested: (state, event, now) =>
    isUnsent(state) ? end(state, 'cancelled', now, cancelledUnsent) : takeUnlisted(state, event),
};

function unlessCancelled<T extends PaymentEventType>(rule: Rule<T>): Rule<T> {
  return (state, event, now) =>
    state.isCancelWaiting ? end(state, 'cancelled', now, cancelledByPayer) : rule(state, event, now);
}

export function withoutCancel({ isCancelWaiting: _revoked, ...state }: PaymentState): PaymentState {
  return state;
}

function isUnsent({ order, openStep }: PaymentState): boolean {
  return order.endsUnsent === true && isPutOff(openStep);
}
