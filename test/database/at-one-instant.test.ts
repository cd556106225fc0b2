import { describe, expect, it } from 'vitest';
import { atOneInstant } from '#database/connection';
import { listSubscriptionPayments, sumOfPayments } from '#database/subjects';
import { subscription } from '../lifecycle/subscription/sample-subscriptions.js';
import { useEngineDatabase } from './engine-database.js';
import { collectPayments, storeSubscription } from './stored-subscription.js';

const engine = useEngineDatabase();

const nothing = async () => await Promise.resolve();

describe('reads at one instant', () => {
  it('fit each other, although another connection commits between them', async () => {
    const identity = await storeSubscription(engine.db, subscription('active'));
    const { subscriptionId: id } = identity;
    const both = async (db: typeof engine.db) => {
      const listed = await listSubscriptionPayments(db, id, {});
      await collectPayments(engine.db, identity, [
        `SALE-${listed.length}-${id}`,
        `2030-01-0${listed.length + 1}T00:00:00Z`,
      ]);
      return [listed.length * 500, await sumOfPayments(db, id)];
    };
    expect(await atOneInstant(engine.db, both)).toEqual([0, 0]);
    expect(await both(engine.db)).toEqual([500, 1_000]);
    expect(await atOneInstant(engine.db, both)).toEqual([1_000, 1_000]);
  });

  it('write nothing, and are refused in a transaction, which has instants of its own', async () => {
    await expect(
      atOneInstant(engine.db, async (instant) => await instant.deleteFrom('drift').execute()),
    ).rejects.toThrow('read-only transaction');
    await expect(
      engine.db.transaction().execute(async (trx) => await atOneInstant(trx, nothing)),
    ).rejects.toThrow('not supported');
  });
});
