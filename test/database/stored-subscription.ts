import type { Database } from '#database/connection';
import { savePayments } from '#database/subjects';
import { storableJson } from '#database/text/storable-text.js';
import { type SubscriptionIdentity, subscriptionSubject } from '#workflows/contract';
import type { SubscriptionState } from '#workflows/lifecycle/subscription';
import { plan } from '../lifecycle/plan/sample-plans.js';
import { newId, owner } from './engine-database.js';

/** A subscription that stands so at version 5, by its rows. */
export async function storeSubscription(
  db: Database,
  state: SubscriptionState,
  subscriptionId = newId('sub'),
): Promise<SubscriptionIdentity> {
  const planId = newId('plan');
  const text = { name: planId, description: '', return_url: '', cancel_url: '' };
  const ordered = plan('active');
  await db
    .insertInto('plans')
    .values({
      ...owner,
      id: planId,
      name: planId,
      content_hash: planId,
      status: ordered.status,
      state: storableJson(ordered),
      version: 1,
    })
    .execute();
  await db
    .insertInto('subscriptions')
    .values({
      ...owner,
      ...text,
      id: subscriptionId,
      plan_id: planId,
      status: state.status,
      state: storableJson(state),
      version: 5,
    })
    .execute();
  return { ...owner, subscriptionId };
}

/** Completed payments of 5.00 USD each. */
export async function collectPayments(
  db: Database,
  identity: SubscriptionIdentity,
  ...payments: readonly [id: string, at: string][]
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const shown = payments.map(([transactionId, at]) => ({
      transactionId,
      at: new Date(at),
      isSale: true,
      status: 'completed' as const,
      minor: 500,
    }));
    await savePayments(trx, subscriptionSubject(identity), 'USD', { readAt: new Date(), payments: shown });
  });
}
