import type { Instant } from '../lifecycle.js';
import { isOlder } from './observation.js';
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
 * What a read of the agreement says of a change whose answer is missing.
 *
 * @param seenUpdatedAt when the provider had last changed it before the change was sent, where that is known.
 * @returns 'absent' where it does not show the change, 'unreadable' where it is too old to.
 */
export function changeShown(
  state: SubscriptionState,
  facts: AgreementFacts,
  seenUpdatedAt: Instant | undefined,
  now: Instant,
): SubscriptionEvent | 'absent' | 'unreadable' {
  const step = state.openStep?.step;
  if (!step || !('from' in step)) return 'unreadable';
  const { shown, event } = wanted[step.type];
  // An end is never left: there is none that could be from before.
  if (facts.shown === 'Cancelled' || facts.shown === 'Expired') {
    if (facts.shown === shown) return event;
    return { type: 'stepDeclined', reason: `The agreement is ${facts.shown} at the provider.` };
  }
  const { updatedAt } = facts.billing;
  // A read may still show what was before the change before this one: active before a suspension, say.
  if (now < (state.readsSettleAt ?? 0) || isOlder(state, facts)) return 'unreadable';
  const isTold = updatedAt !== undefined && seenUpdatedAt !== undefined;
  if (isTold && updatedAt < seenUpdatedAt) return 'unreadable';
  if (facts.shown !== shown) return 'absent';
  // So it stood before the change was sent: not by it.
  return isTold && updatedAt === seenUpdatedAt ? 'absent' : event;
}
