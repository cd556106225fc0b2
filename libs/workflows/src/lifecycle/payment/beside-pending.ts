import { amountsOf } from './amounts.js';
import type { HoldEnd, PaymentState } from './payment.js';

/** True if a capture is pending and something else of the hold can be captured or released. */
export function holdsBesidePending(state: PaymentState): boolean {
  return state.status === 'capturing' && amountsOf(state).capturable > 0;
}

/** The hold has ended, and a pending capture has not: nothing else can be captured or released. */
export function withHoldEnd(state: PaymentState, holdEnd: HoldEnd): PaymentState {
  return state.order.holdsRest ? { ...state, holdEnd } : state;
}
