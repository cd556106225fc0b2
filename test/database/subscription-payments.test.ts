import { expect, it } from 'vitest';
import { listSubscriptionPayments } from '#database/subjects';
import { subscription } from '../lifecycle/subscription/sample-subscriptions.js';
import { useEngineDatabase } from './engine-database.js';
import { collectPayments, storeSubscription } from './stored-subscription.js';

const engine = useEngineDatabase();

const at = (day: number) => `2030-01-0${day}T00:00:00Z`;

const idsOf = (rows: readonly { transaction_id: string }[]) => rows.map((row) => row.transaction_id);

it('a page of payments ends with all payments of an instant, so that none is left out by the next page', async () => {
  const identity = await storeSubscription(engine.db, subscription('active'));
  const { subscriptionId: id } = identity;
  await collectPayments(
    engine.db,
    identity,
    [`a-${id}`, at(1)],
    [`c-${id}`, at(2)],
    [`b-${id}`, at(2)],
    [`d-${id}`, at(3)],
  );
  const first = await listSubscriptionPayments(engine.db, id, { limit: 2 });
  expect(idsOf(first)).toEqual([`a-${id}`, `b-${id}`, `c-${id}`]);
  const next = await listSubscriptionPayments(engine.db, id, { limit: 2, after: new Date(at(2)) });
  expect(idsOf(next)).toEqual([`d-${id}`]);
});
