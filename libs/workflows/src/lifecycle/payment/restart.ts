import type { Instant } from '../lifecycle.js';
import type { Position } from '../progress.js';
import { type Restarted, owingPoll, restartFrom as takeUpAnyAgain } from '../restart.js';
import type { PaymentState } from './payment.js';
import { rememberNews } from './reads.js';

/** @param rows the state in the payment's row; the payment has not ended. */
export function restartFrom(rows: Position<PaymentState>, now: Instant): Restarted<PaymentState> {
  return takeUpAnyAgain({ ...rows, state: owingRead(rows.state, now) }, now, owingPoll);
}

/** News that came during a step may be in no row: a read is due when the step is over. */
function owingRead(state: PaymentState, now: Instant): PaymentState {
  return state.openStep ? rememberNews(state, { isNews: true }, now) : state;
}
