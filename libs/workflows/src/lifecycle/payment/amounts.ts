import type { PaymentState } from './payment.js';

export interface Amounts {
  /** Minor units held by the authorization, captured ones included. */
  readonly authorized: number;
  readonly captured: number;
  /** Asked for at the provider but not yet settled there. */
  readonly pending: number;
  readonly capturable: number;
  /** Given back to the payer: what a void, an expiry or a final capture left of the hold. */
  readonly released: number;
}

export function amountsOf(state: PaymentState): Amounts {
  const authorized = state.authorization?.minor ?? 0;
  const captured = sumOf(state, 'completed');
  const pending = sumOf(state, 'pending');
  const holds = state.status === 'authorized' || state.status === 'partially_captured';
  return {
    authorized,
    captured,
    pending,
    // Also of a larger hold that an operator keeps, no more than was ordered.
    capturable: holds ? Math.max(0, Math.min(authorized, state.order.amount.minor) - captured - pending) : 0,
    released: state.released ? Math.max(0, authorized - captured) : 0,
  };
}

/** True for a hold of another amount than was ordered, as long as nobody has decided to keep it. */
export function isOtherAmount({ authorization, order, isHeldAmountAccepted }: PaymentState): boolean {
  return (
    authorization !== undefined && authorization.minor !== order.amount.minor && isHeldAmountAccepted !== true
  );
}

function sumOf(state: PaymentState, status: 'completed' | 'pending'): number {
  return state.captures.reduce((sum, capture) => (capture.status === status ? sum + capture.minor : sum), 0);
}
