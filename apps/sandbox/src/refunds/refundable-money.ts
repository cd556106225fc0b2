import type { CaptureRow, RefundRow, SaleRow } from '../database/tables.js';
import type { ErrorName } from '../http/api-error.js';

/** The money side of a sale or a capture, in minor units: collected = refunded + being refunded + reversed + left. */
export type Returnable = Pick<
  SaleRow | CaptureRow,
  'state' | 'amount_minor' | 'refunded_minor' | 'refund_pending_minor' | 'reversed_minor'
>;

/** The state after a decision, and the amount of the decision. */
export interface Return {
  returnable: Returnable;
  minor: number;
}

export interface Refused {
  refusal: ErrorName;
}

/** What can still be refunded. */
export function leftMinor(of: Returnable): number {
  return of.amount_minor - of.refunded_minor - of.refund_pending_minor - of.reversed_minor;
}

/** `minor`: null refunds all that is left. While a refund is pending, its amount is reserved. */
export function refund(of: Returnable, minor: number | null, isPending: boolean): Return | Refused {
  const amount = amountToReturn(of, minor);
  if (typeof amount === 'string') return { refusal: amount };
  const returnable = isPending
    ? { ...of, refund_pending_minor: of.refund_pending_minor + amount }
    : withState({ ...of, refunded_minor: of.refunded_minor + amount });
  return { returnable, minor: amount };
}

/** A pending refund ends: one that did not happen can be requested again. */
export function finishRefund(
  of: Returnable,
  minor: number,
  outcome: Exclude<RefundRow['state'], 'pending'>,
): Returnable {
  const unreserved = { ...of, refund_pending_minor: of.refund_pending_minor - minor };
  return outcome === 'completed'
    ? withState({ ...unreserved, refunded_minor: of.refunded_minor + minor })
    : unreserved;
}

/** A chargeback. `minor`: null takes all that is left. */
export function reverse(of: Returnable, minor: number | null): Return | Refused {
  const amount = amountToReturn(of, minor);
  if (typeof amount === 'string') return { refusal: amount };
  const returnable = withState({ ...of, reversed_minor: of.reversed_minor + amount });
  return { returnable, minor: amount };
}

function amountToReturn(of: Returnable, minor: number | null): number | ErrorName {
  if (of.state === 'pending' || of.state === 'denied') return 'TRANSACTION_REFUSED';
  const left = leftMinor(of);
  if (left === 0) return 'TRANSACTION_ALREADY_REFUNDED';
  if (minor !== null && minor > left) return 'REFUND_EXCEEDED_TRANSACTION_AMOUNT';
  return minor ?? left;
}

/** The public states have no 'reversed': the state shows only how much was returned. */
function withState(of: Returnable): Returnable {
  const returned = of.refunded_minor + of.reversed_minor;
  return { ...of, state: returned === of.amount_minor ? 'refunded' : 'partially_refunded' };
}
