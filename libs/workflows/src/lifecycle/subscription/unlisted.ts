import { refuse } from '../lifecycle.js';
import type {
  SubscriptionEvent,
  SubscriptionEventType,
  SubscriptionState,
  SubscriptionTransitionResult,
} from './subscription.js';

/** The result of an event that the state does not list: a request is refused, any other event is stale. */
export function takeUnlisted(
  state: SubscriptionState,
  event: SubscriptionEvent,
): SubscriptionTransitionResult {
  if (!isRequest(event.type)) return { kind: 'stale', state };
  const words = refusalWords[event.type];
  return refuse(state, 'not_allowed_in_state', `A subscription that is ${state.status} ${words}.`);
}

/** How the refusal of a request ends: "A subscription that is cancelled …". */
const refusalWords = {
  suspendRequested: 'does not suspend',
  reactivateRequested: 'does not reactivate',
  cancelRequested: 'does not cancel',
  billBalanceRequested: 'does not have its balance billed',
  setBalanceRequested: 'does not have its balance set',
  reviewDecided: 'is not under review',
} as const satisfies Partial<Record<SubscriptionEventType, string>>;

function isRequest(type: SubscriptionEventType): type is keyof typeof refusalWords {
  return Object.hasOwn(refusalWords, type);
}
