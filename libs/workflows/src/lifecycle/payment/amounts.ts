import type { PaymentState, PaymentStatus } from './payment.js';

export interface Amounts {
  /** Minor units held by the authorization, including captured ones; 0 for a sale, which holds no funds. */
  readonly authorized: number;
  /** Captured, or taken by a sale, and arrived. */
  readonly captured: number;
  /** Still pending at the provider. */
  readonly pending: number;
  readonly capturable: number;
  /** Released to the payer by a void, an expiry or a final capture. */
  readonly released: number;
}

export function amountsOf(state: PaymentState): Amounts {
  const authorized = (state.authorization?.minor ?? 0) + collectedEarlier(state);
  const captured = sumOf(state, 'completed');
  const pending = sumOf(state, 'pending');
  return {
    authorized,
    captured,
    pending,
    // Even if an operator keeps a larger hold, at most the ordered or later reauthorized amount.
    capturable: isHeld(state, pending)
      ? Math.max(0, Math.min(authorized, limitOf(state)) - captured - pending)
      : 0,
    released: releasedMinor(state, authorized - captured, pending),
  };
}

function isHeld(state: PaymentState, pending: number): boolean {
  const { status, openStep, order, captures, holdEnd } = state;
  if (status === 'authorized' || status === 'partially_captured') return true;
  const isBesidePending = status === 'capturing' && !openStep && pending > 0;
  if (!isBesidePending || order.holdsRest !== true || holdEnd) return false;
  // A final capture leaves nothing: the provider releases the rest once it is completed.
  return !captures.some((each) => each.final && each.status !== 'denied');
}

function releasedMinor({ released, holdEnd }: PaymentState, uncaptured: number, pending: number): number {
  if (released) return Math.max(0, uncaptured);
  // A pending capture outlives its hold.
  return holdEnd ? Math.max(0, uncaptured - pending) : 0;
}

/** True for a hold or sale of another amount than ordered, until an operator decides to keep it. */
export function isOtherAmount(state: PaymentState): boolean {
  const { authorization, sale, order, isHeldAmountAccepted } = state;
  // A reauthorization has the amount that it asked for.
  if (authorization?.renewal) return false;
  const minor = (authorization ?? sale)?.minor;
  return minor !== undefined && minor !== order.amount.minor && isHeldAmountAccepted !== true;
}

/** The status of a payment with a hold, from its captures. */
export function statusOfHold(state: PaymentState): PaymentStatus {
  // The void of a hold with another amount has failed: the payment returns to review.
  if (isOtherAmount(state)) return 'needs_review';
  const { captured, pending } = amountsOf(state);
  if (pending > 0) return 'capturing';
  return captured > 0 ? 'partially_captured' : 'authorized';
}

function limitOf({ order, reauthorizations }: PaymentState): number {
  return reauthorizations?.limit ?? order.amount.minor;
}

/** The captured or pending amount of replaced authorizations, which the current one does not include. */
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
