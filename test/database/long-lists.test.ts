import { expect, it } from 'vitest';
import { sql } from 'kysely';
import { countUrgent, listEvents, listUrgent } from '#database/console';
import { findWebhookEvents } from '#database/events';
import { listPayments } from '#database/subjects';
import { newIdentity, owner, storePayment, useEngineDatabase } from './engine-database.js';

const engine = useEngineDatabase();

/** Events of these statuses, one after the other; those that wait are due. */
async function storeEvents(type: string, resource: string, statuses: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ event_id: string }>`
    insert into webhook_events (environment, application, event_id, event_type, resource, resource_ids, payload, status, due_at)
    select ${owner.environment}, ${owner.application}, ${type} || place, ${type}, '{}', array['parent', ${resource}::text],
      '{}', status, case when status in ('received', 'parked') then now() + interval '1 day' end
    from unnest(${[...statuses]}::text[]) with ordinality as event (status, place) order by place
    returning event_id`.execute(engine.db);
  return rows.map(({ event_id: id }) => id);
}

it('events of a type and of a resource come newest first, settled and waiting ones together', async () => {
  const ids = await storeEvents('RARE', 'R-1', [
    'applied',
    'parked',
    'applied',
    'received',
    'ignored',
    'conflict',
  ]);
  await storeEvents('OTHER', 'R-2', ['applied', 'parked']);
  const newest = ids.toReversed();
  for (const limit of [1, 3, 4, 10]) {
    const wanted = newest.slice(0, limit);
    const own = await findWebhookEvents(engine.db, { ...owner, type: 'RARE', limit });
    expect(own.map(({ event_id: id }) => id)).toEqual(wanted);
    const older = await findWebhookEvents(engine.db, { ...owner, type: 'RARE', limit, before: own[0]!.id });
    expect(older.map(({ event_id: id }) => id)).toEqual(newest.slice(1, limit + 1));
    for (const filter of [
      { type: 'RARE' },
      { resourceId: 'R-1' },
      { ...owner, resourceId: 'R-1', type: 'RARE' },
    ]) {
      const listed = await listEvents(engine.db, { ...filter, limit });
      expect(listed.map(({ event_id: id }) => id)).toEqual(wanted);
    }
  }
  expect(await listEvents(engine.db, { type: 'RARE', status: 'parked', limit: 10 })).toHaveLength(1);
});

it('payments in one of several states come newest first, page by page', async () => {
  const statuses = ['captured', 'authorized', 'voided', 'captured', 'needs_review', 'authorized'] as const;
  const stored: { id: string; status: string }[] = [];
  for (const status of statuses) {
    const { paymentId: id } = await storePayment(engine.db, newIdentity());
    await engine.db.updateTable('payments').set({ status }).where('id', '=', id).execute();
    stored.push({ id, status });
  }
  const asked = ['captured', 'authorized', 'needs_review'] as const;
  const wanted = stored
    .filter(({ status }) => status !== 'voided')
    .map(({ id }) => id)
    .toSorted()
    .toReversed();
  const found: string[] = [];
  for (let before: string | undefined; ; before = found.at(-1)) {
    const { rows } = await listPayments(engine.db, { ...owner, statuses: asked, before, limit: 2 });
    if (rows.length === 0) break;
    found.push(...rows.map(({ id }) => id));
  }
  expect(found).toEqual(wanted);
});

it('holds that end are counted up to a bound, the first one first', async () => {
  const until = Date.now() + 3_600_000;
  for (let n = 0; n < 4; n += 1) {
    const { paymentId } = await storePayment(engine.db, newIdentity());
    await sql`update payments set status = 'authorized',
      state = jsonb_set(state, '{authorization}', jsonb_build_object('validUntil', ${until + n}::bigint))
      where id = ${paymentId}`.execute(engine.db);
  }
  const within = { holdsWithinMs: 86_400_000 };
  const counted = await countUrgent(engine.db, [owner], { ...within, mostHolds: 3 });
  expect(counted.holds).toEqual({ count: 3, oldest: new Date(until) });
  expect((await countUrgent(engine.db, [owner], within)).holds.count).toBe(4);
  const holds = (await listUrgent(engine.db, [owner], { ...within, limit: 2 })).filter(
    ({ status }) => status === 'authorized',
  );
  expect(holds).toHaveLength(1);
});
