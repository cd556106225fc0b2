import type { Instant } from '../lifecycle.js';
import { isOlder } from './observation.js';
import { isStateChange } from './step.js';
import {
  type AgreementFacts,
  type StateChange,
  type SubscriptionEvent,
  type SubscriptionState,
} from './subscription.js';

const wanted = {
  suspendAgreement: { shown: 'Suspended', event: { type: 'agreementSuspended' } },
  reactivateAgreement: { shown: 'Active', event: { type: 'agreementReactivated' } },
  cancelAgreement: { shown: 'Cancelled', event: { type: 'agreementCancelled' } },
} as const satisfies Record<StateChange['type'], { shown: string; event: SubscriptionEvent }>;

/**
 * What a read of the agreement shows about a change with a lost answer.
 *
 * @param seenUpdatedAt the agreement's last change before the call, if known.
 * @returns 'absent' if it does not show the change, 'unreadable' if it is too old to show it.
 */
export function changeShown(
  state: SubscriptionState,
  facts: AgreementFacts,
  seenUpdatedAt: Instant | undefined,
  now: Instant,
): SubscriptionEvent | 'absent' | 'unreadable' {
  const step = state.openStep?.step;
  if (!step || !isStateChange(step)) return 'unreadable';
  const { shown, event } = wanted[step.type];
  // An end is never left, so it cannot be from before the call.
  if (facts.shown === 'Cancelled' || facts.shown === 'Expired') {
    if (facts.shown === shown) return event;
    return { type: 'stepDeclined', reason: `The agreement is ${facts.shown} at the provider.` };
  }
  const { updatedAt } = facts.billing;
  // A lagging read may show the state before the previous change, such as active before a suspension.
  if (now < (state.readsSettleAt ?? 0) || isOlder(state, facts)) return 'unreadable';
  const areDated = updatedAt !== undefined && seenUpdatedAt !== undefined;
  if (areDated && updatedAt < seenUpdatedAt) return 'unreadable';
  if (facts.shown !== shown) return 'absent';
  // The agreement already had this state before the call.
  return areDated && updatedAt === seenUpdatedAt ? 'absent' : event;
}
