import { sql } from 'kysely';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { deleteForeignEvents, journalWebhookEvent, type NewWebhookEvent } from '#database/events';
import { openReconciliation } from '#database/reconciliation';
import { purge } from '#database/retention';
import { waitingForLocks } from '../helpers/waiting-for-locks.js';
import { until } from '../helpers/until.js';
import { newEvent, owner, useEngineDatabase } from './engine-database.js';

const engine = useEngineDatabase();
beforeAll(async () => {
  await openReconciliation(engine.db, owner, 1);
});

afterEach(async () => {
  await engine.db.deleteFrom('webhook_events').execute();
});

/** Of another user of the account, and old. */
async function oldEvent(): Promise<NewWebhookEvent> {
  const event = newEvent();
  const { id } = await journalWebhookEvent(engine.db, event);
  await sql`update webhook_events set status = 'ignored', due_at = null, received_at = now() - interval '40 days'
    where id = ${id}`.execute(engine.db);
  return event;
}

it.each([
  [
    'a purge',
    async () => {
      await purge(engine.db, { sandbox: { webhookEvents: 30 } }, { batch: 10, pauseMs: 0 });
    },
  ],
  [
    'the end of those of others',
    async () => {
      await deleteForeignEvents(engine.db, owner, { keptForMs: 30 * 86_400_000, limit: 10 });
    },
  ],
])('%s leaves an event that is delivered with another content meanwhile', async (_, deletion) => {
  const event = await oldEvent();
  const deleting = await engine.db.transaction().execute(async (trx) => {
    await journalWebhookEvent(trx, { ...event, eventType: 'PAYMENT.AUTHORIZATION.VOIDED' });
    const under = { way: deletion() };
    await until(
      async () => await waitingForLocks(engine.db),
      (waiting) => waiting > 0,
      'the deletion to wait for the row',
    );
    return under;
  });
  await deleting.way;
  const rows = await engine.db
    .selectFrom('webhook_events')
    .select('status')
    .where('event_id', '=', event.eventId)
    .execute();
  expect(rows).toEqual([{ status: 'contested' }]);
});
