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
 * @param seenShown its state at that instant: a provider that rounds to whole seconds may show our change with it, too.
 * @returns 'absent' if it does not show the change, 'unreadable' if it is too old to show it.
 */
export function changeShown(
  state: SubscriptionState,
  facts: AgreementFacts,
  seenUpdatedAt: Instant | undefined,
  now: Instant,
  seenShown?: string,
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
  const laterMs = millisecondsBetween(seenUpdatedAt, updatedAt);
  if (laterMs < 0) return 'unreadable';
  if (facts.shown !== shown) return 'absent';
  return laterMs === 0 && mayHaveBeenSo(shown, seenShown) ? 'absent' : event;
}

/** Whether the agreement may have had this state before the call. */
function mayHaveBeenSo(shown: string, seenShown = shown): boolean {
  return seenShown === shown;
}

/** NaN if either is not known. */
function millisecondsBetween(from = NaN, to = NaN): number {
  return to - from;
}
