import type { PaymentState } from './payment.js';

export interface Amounts {
  /** Minor units held by the authorization, captured ones included; none of a sale, which holds nothing. */
  readonly authorized: number;
  /** What has arrived, by captures or by a sale. */
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

/** True for a hold or sale of another amount than was ordered, as long as nobody has decided to keep it. */
export function isOtherAmount(state: PaymentState): boolean {
  const { authorization, sale, order, isHeldAmountAccepted } = state;
  const minor = (authorization ?? sale)?.minor;
  return minor !== undefined && minor !== order.amount.minor && isHeldAmountAccepted !== true;
}

function sumOf(state: PaymentState, status: 'completed' | 'pending'): number {
  const collected = state.sale ? [...state.captures, state.sale] : state.captures;
  return collected.reduce((sum, each) => (each.status === status ? sum + each.minor : sum), 0);
}
