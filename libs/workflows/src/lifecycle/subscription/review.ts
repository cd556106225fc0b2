import type { Instant } from '../lifecycle.js';
import { failChange } from './open-step.js';
import { end, endedByPayer } from './rules.js';
import type {
  SubscriptionTransitionResult,
  SubscriptionEvent,
  SubscriptionState,
  SubscriptionStep,
} from './subscription.js';

type EventOf<T extends SubscriptionEvent['type']> = Extract<SubscriptionEvent, { type: T }>;

/** The step did not happen and is not repeated: a caller that still wants it must request it again. */
export function abandonStep(
  state: SubscriptionState,
  { reason, isCancelUnfounded }: EventOf<'stepDecidedUndone'>,
  now: Instant,
): SubscriptionTransitionResult {
  const step = state.openStep?.step;
  if (!step) return { kind: 'stale', state };
  // A change of state returns to the previous status, and the agreement is read at once.
  if ('from' in step) return failChange(state, { reason }, now);
  const isCancelled = state.isCancelWaiting && !isCancelUnfounded && state.order.endsUnsent;
  return isCancelled ? end(state, 'cancelled', now, endedByPayer) : end(state, 'declined', now, reason);
}

/**
 * The event that an operator's word alone allows: changes that can be undone and are read soon, and changes
 * of the balance, which is read soon, too. Not a cancellation: it ends the subscription, and nothing would watch an agreement that is
 * still billed.
 */
export function eventOnWord({ type }: SubscriptionStep): SubscriptionEvent | undefined {
  switch (type) {
    case 'suspendAgreement':
      return { type: 'agreementSuspended' };
    case 'reactivateAgreement':
      return { type: 'agreementReactivated' };
    case 'billBalance':
      return { type: 'balanceBilled' };
    case 'setBalance':
      return { type: 'balanceSet' };
    default:
      return undefined;
  }
}

/**
 * Whether an operator's word alone is not enough to call the step undone: nothing would watch an agreement that is
 * billed for years.
 */
export function isReadRequired({ type }: SubscriptionStep): boolean {
  return type === 'executeAgreement';
}
