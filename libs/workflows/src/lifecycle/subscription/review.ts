import type { Instant } from '../lifecycle.js';
import { failChange } from './open-step.js';
import { end } from './rules.js';
import type {
  SubscriptionTransitionResult,
  SubscriptionEvent,
  SubscriptionState,
  SubscriptionStep,
} from './subscription.js';

type EventOf<T extends SubscriptionEvent['type']> = Extract<SubscriptionEvent, { type: T }>;

/** The step did not happen, and is not repeated either: whoever wants it asks for it again. */
export function abandonStep(
  state: SubscriptionState,
  { reason }: EventOf<'stepDecidedUndone'>,
  now: Instant,
): SubscriptionTransitionResult {
  const step = state.openStep?.step;
  if (!step) return { kind: 'stale', state };
  // A change of state goes back to where it came from, and what the provider shows of that is read at once.
  return 'from' in step ? failChange(state, { reason }, now) : end(state, 'declined', now, reason);
}

/**
 * What an operator's word alone can stand for: what can be undone, and is read as soon as that can be done. A cancellation
 * is the end: an agreement that is billed after it would be watched by nobody.
 */
export function eventOnWord({ type }: SubscriptionStep): SubscriptionEvent | undefined {
  switch (type) {
    case 'suspendAgreement':
      return { type: 'agreementSuspended' };
    case 'reactivateAgreement':
      return { type: 'agreementReactivated' };
    default:
      return undefined;
  }
}

/** Whether word alone cannot call it undone: an agreement that is billed for years would be watched by nobody. */
export function isReadRequired({ type }: SubscriptionStep): boolean {
  return type === 'executeAgreement';
}
