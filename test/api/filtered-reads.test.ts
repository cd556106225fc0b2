import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { ChangeWaits } from '#api/commands/wait-for-change.js';
import { PaymentRows } from '#api/rows/payment-rows.js';
import { newId } from '#api/wire/ids.js';
import { ChangeListener, type Database } from '#database/connection';
import { owner, storePayment, useEngineDatabase } from '../database/engine-database.js';

const engine = useEngineDatabase();
const changes = new ChangeWaits(new ChangeListener('postgres://127.0.0.1:9/none'));
const day = 86_400_000;
const now = Date.now();
const ages = Array.from({ length: 3_000 }, (_none, days) => days);

/** How many rows of payments this transaction has read so far. */
async function rowsRead(trx: Database): Promise<number> {
  const { rows } = await sql<{ read: number }>`
    select coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) as read
    from pg_stat_xact_user_tables where relname = 'payments'`.execute(trx);
  return rows[0]?.read ?? 0;
}

/** What a list holds that is filtered by the instant of creation, and how many rows were read for it. */
async function listed(filter: { readonly createdFrom?: number; readonly createdTo?: number }) {
  return await engine.db.transaction().execute(async (trx) => {
    // As in a large table, which is not read as a whole.
    await sql`set local enable_seqscan = off`.execute(trx);
    const { rows } = await new PaymentRows(trx, changes).list(owner, { limit: 100, ...filter });
    return { ids: rows.map(({ id }) => id), read: await rowsRead(trx) };
  });
}

test('a filter by the instant of creation reads no payments of other days', async () => {
  const ids = ages.map((days) => newId('payment', now - days * day));
  await storePayment(engine.db, { ...owner, paymentId: ids[0]! });
  await sql`insert into payments
      (id, created_at, environment, application, order_id, intent, status, state, version, return_url, cancel_url)
    select copy.id, copy.at, environment, application, order_id, intent, status, state, version, return_url, cancel_url
    from payments as first, unnest(${ids}::text[], ${ages.map((days) => new Date(now - days * day))}::timestamptz[])
      as copy (id, at) where copy.id <> first.id`.execute(engine.db);
  const between = await listed({ createdFrom: now - 2_000 * day, createdTo: now - 1_998 * day });
  expect(between.ids).toEqual([ids[1_999], ids[2_000]]);
  const before = await listed({ createdTo: now - 10_000 * day });
  expect(before.ids).toEqual([]);
  const after = await listed({ createdFrom: now + day });
  expect(after.ids).toEqual([]);
  // Planning reads some, too.
  for (const { read } of [between, before, after]) expect(read).toBeLessThan(ages.length / 4);
});
