import { expect, it } from 'vitest';
import { journalWebhookEvent, markWebhookEvent } from '#database/events';
import type { RunStatus } from '#runs';
import { resendLostSignals } from '#worker/recovery/lost-signals.js';
import type { MaintenanceContext } from '#worker/steps/activities/context.js';
import { subscription } from '../lifecycle/subscription/sample-subscriptions.js';
import { eventRow, leased, newEvent, owner, useEngineDatabase } from './engine-database.js';
import { storeSubscription } from './stored-subscription.js';

const engine = useEngineDatabase();

/** A payment of an ended subscription is refunded: a run that reads it was started by the event alone. */
async function refundOfEnded(): Promise<number> {
  const { subscriptionId: subjectId } = await storeSubscription(engine.db, subscription('cancelled'));
  const { id } = await journalWebhookEvent(engine.db, newEvent());
  const detail = 'signalled to a run that reads it';
  await markWebhookEvent(engine.db, await leased(engine.db, id), 'applied', { subjectId, detail });
  return id;
}

/** @param found what Temporal knows of the run. */
async function recovered(found: RunStatus): Promise<number> {
  const runs = { statusOf: async () => found } as unknown as MaintenanceContext['runs'];
  const since = new Date(Date.now() - 60_000);
  // Reconciliation was faster: no run of an open subject is missing any more.
  return await resendLostSignals({ db: engine.db, runs }, owner, { since, wasLost: false, concurrency: 2 });
}

it('an event is dispatched again if the run that read after an end is lost, and no other run is', async () => {
  const id = await refundOfEnded();
  expect(await recovered({ kind: 'ended' })).toBe(0);
  expect((await eventRow(engine.db, id)).status).toBe('applied');
  expect(await recovered({ kind: 'gone' })).toBe(1);
  expect((await eventRow(engine.db, id)).status).toBe('received');
});
