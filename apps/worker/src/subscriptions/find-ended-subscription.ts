import { findSubscription } from '../../../../libs/database/src/subscriptions.js';
import type { SubscriptionIdentity } from '../../../../libs/workflows/src/contract/subscription.js';
import type { Position } from '../../../../libs/workflows/src/lifecycle/progress.js';
import {
  type SubscriptionState,
  isTerminal,
} from '../../../../libs/workflows/src/lifecycle/subscription/subscription.js';
import type { ActivityContext } from '../context.js';

/** Nobody but a run under the same id writes these rows once it has ended, and the one that asks is the only one. */
export async function findEndedSubscription(
  { db }: ActivityContext,
  identity: SubscriptionIdentity,
): Promise<Position<SubscriptionState>> {
  const subscription = await findSubscription(db, identity);
  if (!subscription || !isTerminal(subscription.status)) {
    throw new Error('a subscription that has ended has no such row');
  }
  return { state: subscription.state, version: subscription.version };
}
