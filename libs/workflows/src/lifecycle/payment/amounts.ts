import type { PaymentState, PaymentStatus } from './payment.js';

export interface Amounts {
  /** Minor units held by the authorization, captured ones included; none of a sale, which holds nothing. */
  readonly authorized: number;
  /** What has arrived, by captures or by a sale. */
  readonly captured: number;
  /** Asked for at the provider, and still pending there. */
  readonly pending: number;
  readonly capturable: number;
  /** Given back to the payer: what a void, an expiry or a final capture left of the hold. */
  readonly released: number;
}

export function amountsOf(state: PaymentState): Amounts {
  const authorized = (state.authorization?.minor ?? 0) + collectedEarlier(state);
  const captured = sumOf(state, 'completed');
  const pending = sumOf(state, 'pending');
  const holds = state.status === 'authorized' || state.status === 'partially_captured';
  return {
    authorized,
    captured,
    pending,
    // Also of a larger hold that an operator keeps, no more than was ordered or asked for since.
    capturable: holds ? Math.max(0, Math.min(authorized, limitOf(state)) - captured - pending) : 0,
    released: state.released ? Math.max(0, authorized - captured) : 0,
  };
}

/** True for a hold or sale of another amount than was ordered, as long as nobody has decided to keep it. */
export function isOtherAmount(state: PaymentState): boolean {
  const { authorization, sale, order, isHeldAmountAccepted } = state;
  // What was reauthorized is what was asked for then.
  if (authorization?.renewal) return false;
  const minor = (authorization ?? sale)?.minor;
  return minor !== undefined && minor !== order.amount.minor && isHeldAmountAccepted !== true;
}

/** Where a payment stands whose hold stays, by what was captured of it. */
export function statusOfHold(state: PaymentState): PaymentStatus {
  // The void of a hold that is not what was ordered has failed: it goes back to whom it came from.
  if (isOtherAmount(state)) return 'needs_review';
  return amountsOf(state).captured > 0 ? 'partially_captured' : 'authorized';
}

function limitOf({ order, reauthorizations }: PaymentState): number {
  return reauthorizations?.limit ?? order.amount.minor;
}

/** Captured, or about to be, of holds whose place another one has taken: the present one does not count it. */
function collectedEarlier({ authorization, captures, reauthorizations }: PaymentState): number {
  const present = authorization?.authorizationId;
  const earlier = reauthorizations?.earlier.map(({ authorizationId }) => authorizationId) ?? [];
  return captures.reduce((sum, { authorizationId, minor, status }) => {
    const isOfEarlier =
      authorizationId !== undefined && authorizationId !== present && earlier.includes(authorizationId);
    return isOfEarlier && status !== 'denied' ? sum + minor : sum;
  }, 0);
}

function sumOf(state: PaymentState, status: 'completed' | 'pending'): number {
  const collected = state.sale ? [...state.captures, state.sale] : state.captures;
  return collected.reduce((sum, each) => (each.status === status ? sum + each.minor : sum), 0);
}
