import { expect, it } from 'vitest';
import { sql } from 'kysely';
import { listCalls, mostLookedThrough } from '#database/console';
import { useEngineDatabase } from './engine-database.js';

const engine = useEngineDatabase();
const at = (minute: number): Date => new Date(Date.UTC(2030, 0, 1, 0, minute));

/** A call of each of these minutes, in the order in which they are recorded. */
async function recordCalls(minutes: readonly number[], path = '/v1/payments'): Promise<void> {
  await sql`insert into api_calls (environment, application, operation, method, path, started_at, duration_ms)
    select 'sandbox', 'shop', 'getPayment', 'GET', ${path}, minute, 1
    from unnest(${minutes.map(at)}::timestamptz[]) with ordinality as call (minute, place) order by place`.execute(
    engine.db,
  );
}

it('calls of a span are found whatever its place, although longer ones are recorded later', async () => {
  // Each tenth call takes 55 minutes and is recorded among those that began when it has ended.
  const minutes = Array.from({ length: 600 }, (_, n) => (n % 10 === 0 ? n - 55 : n));
  await recordCalls(minutes);
  // Numbers that no row has.
  await sql`delete from api_calls where id % 7 = 0 and started_at < ${at(100)}`.execute(engine.db);
  const { rows } = await sql<{ started_at: Date }>`select started_at from api_calls`.execute(engine.db);
  for (const [from, to] of [
    [-100, -55],
    [-100, 1_000],
    [0, 1],
    [50, 60],
    [300, 310],
    [590, 600],
    [700, 800],
  ] as const) {
    const found = await listCalls(engine.db, { from: at(from), to: at(to), limit: 1_000 });
    const wanted = rows.filter(({ started_at: began }) => began >= at(from) && began < at(to));
    expect(found, `${from} to ${to}`).toHaveLength(wanted.length);
  }
  expect(await listCalls(engine.db, { from: at(590), limit: 1_000 })).toHaveLength(
    rows.filter(({ started_at: began }) => began >= at(590)).length,
  );
  expect(await listCalls(engine.db, { to: at(0), limit: 1_000 })).toHaveLength(
    rows.filter(({ started_at: began }) => began < at(0)).length,
  );
});

it('a part of an address is looked for in the latest calls, and on named days in all', async () => {
  await recordCalls([1_000], '/v1/needle');
  await recordCalls(Array.from({ length: mostLookedThrough }, () => 1_001));
  expect(await listCalls(engine.db, { path: 'needle', limit: 10 })).toEqual([]);
  expect(await listCalls(engine.db, { path: 'needle', from: at(999), limit: 10 })).toHaveLength(1);
});
