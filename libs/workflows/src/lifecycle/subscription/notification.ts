import { type NotifiedResource, isWholeSecond } from '../notified-resource.js';
import { statusShown } from './observation.js';
import type { SubscriptionState } from './subscription.js';

/**
 * True if our records already have what the event reports, so that the run does not need it: the event is not newer than
 * the latest read. An unknown event is news: the run then reads the provider.
 */
export function isAlreadyKnown(
  state: SubscriptionState,
  { kind, state: shown, updatedAt }: NotifiedResource,
): boolean {
  if (kind !== 'agreement' && !(kind === 'sale' && shown === 'completed')) return false;
  // A read of the payments may be due although the agreement was read.
  if (kind === 'sale' && (state.arePaymentsOwed || state.oldestPendingAt !== undefined)) return false;
  const knownAt = state.billing?.updatedAt ?? 0;
  if (updatedAt === knownAt && kind === 'agreement' && isWholeSecond(updatedAt))
    return statusShown(shown) === state.status;
  return updatedAt !== undefined && updatedAt <= knownAt;
}

/** True for a refund, reversal or denial, which the agreement itself may not show. */
export function isAboutPayment({ kind, state }: NotifiedResource): boolean {
  return kind === 'refund' || (kind === 'sale' && state !== 'completed');
}
