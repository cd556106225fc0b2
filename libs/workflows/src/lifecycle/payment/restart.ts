import type { Instant } from '../lifecycle.js';
import type { Position } from '../progress.js';
import { type Restarted, owingPoll, restartFrom as takeUpAnyAgain } from '../restart.js';
import type { PaymentState } from './payment.js';

/** @param rows the state in the payment's row; the payment has not ended. */
export function restartFrom(rows: Position<PaymentState>, now: Instant): Restarted<PaymentState> {
  return takeUpAnyAgain(rows, now, owingPoll);
}
