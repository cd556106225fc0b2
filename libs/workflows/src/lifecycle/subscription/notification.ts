import type { NotifiedResource } from '../notified-resource.js';
import type { SubscriptionState } from './subscription.js';

/**
 * True when our records already say what the event says, so that the run need not be woken for it: it is of no later
 * instant than what was read last. What is unknown is news: the run then reads the provider and decides on that.
 */
export function tellsNothingNew(
  state: SubscriptionState,
  { kind, state: shown, updatedAt }: NotifiedResource,
): boolean {
  if (kind !== 'agreement' && !(kind === 'sale' && shown === 'completed')) return false;
  // A payment's book may be owed though the agreement was read.
  if (kind === 'sale' && (state.arePaymentsOwed || state.oldestPendingAt !== undefined)) return false;
  return updatedAt !== undefined && updatedAt <= (state.billing?.updatedAt ?? 0);
}

/** A refund, a reversal, a denial: the agreement itself need not show it. */
export function isAboutPayment({ kind, state }: NotifiedResource): boolean {
  return kind === 'refund' || (kind === 'sale' && state !== 'completed');
}
