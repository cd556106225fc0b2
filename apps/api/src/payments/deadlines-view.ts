import {
  currentDeadlines,
  willExpiryPolicyAct,
  policyCaptureAt,
  reauthorizationAt,
  type PaymentState,
  type PaymentStatus,
} from '#workflows/lifecycle/payment';
import type { PaymentAnswer } from './payment-answers.js';
import { iso } from '../wire/fields.js';

const beforeMoney: ReadonlySet<PaymentStatus> = new Set([
  'creating',
  'awaiting_approval',
  'authorizing',
  'executing',
]);

/** What is due, and when; null where nothing is due, or nothing any more. */
export function viewDeadlines(state: PaymentState): PaymentAnswer['deadlines'] {
  const { status, order } = state;
  const isAwaitingApproval = beforeMoney.has(status);
  const hold = currentDeadlines(state);
  return {
    approvalBy: isAwaitingApproval ? iso(order.approvalBy) : null,
    capturesAt: hold ? isoOrNull(policyCaptureAt(state, hold)) : null,
    honourUntil: hold ? iso(hold.honourUntil) : null,
    reauthorizesAt: hold ? isoOrNull(reauthorizationAt(state)) : null,
    settlesAt: hold && willExpiryPolicyAct(state) ? iso(hold.expiryPolicyAt) : null,
    captureUntil: hold ? iso(hold.captureUntil) : null,
  };
}

function isoOrNull(instant: number | undefined): string | null {
  return instant === undefined ? null : iso(instant);
}
