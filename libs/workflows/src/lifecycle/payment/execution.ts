import { isPutOff } from '../step/open-step.js';
import type { PaymentEventType } from './event.js';
import { steps } from './open-step.js';
import type { PaymentState } from './payment.js';
import { type Row, type Rule, openStepRow } from './row.js';
import { askPayerAgain, cancelledByPayer, end, moved } from './rules.js';
import { takeUnlisted } from './unlisted.js';

const cancelledUnsent = 'It was cancelled before it was executed.';

/** What a payer says while the outcome is not known, also during its review; the last word counts. */
export const payerDuringExecution = {
  payerCancelled: (state, event) =>
    isExecution(state) && state.order.rules === 2 && !state.isCancelWaiting
      ? moved({ ...state, isCancelWaiting: true })
      : takeUnlisted(state, event),
  payerApproved: (state, event) =>
    state.isCancelWaiting ? moved(withoutCancel(state)) : takeUnlisted(state, event),
} satisfies Row;

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
  ...payerDuringExecution,
  payerCancelled: (state, event, now) =>
    isUnsent(state)
      ? end(state, 'cancelled', now, cancelledByPayer)
      : payerDuringExecution.payerCancelled(state, event),
  cancelRequested: (state, event, now) =>
    isUnsent(state) ? end(state, 'cancelled', now, cancelledUnsent) : takeUnlisted(state, event),
};

/** The rule of a step that was not made: the payer’s cancellation that was kept ends the payment instead. */
export function unlessCancelled<T extends PaymentEventType>(rule: Rule<T>): Rule<T> {
  return (state, event, now) =>
    state.isCancelWaiting ? end(state, 'cancelled', now, cancelledByPayer) : rule(state, event, now);
}

export function withoutCancel({ isCancelWaiting: _revoked, ...state }: PaymentState): PaymentState {
  return state;
}

function isExecution({ openStep }: PaymentState): boolean {
  return openStep?.step.type === 'executePayment';
}

function isUnsent({ order, openStep }: PaymentState): boolean {
  return order.endsUnsent === true && isPutOff(openStep);
}
