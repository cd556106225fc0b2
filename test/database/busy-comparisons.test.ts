import { sql } from 'kysely';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import type { Database } from '#database/connection';
import { findReconciliation, openReconciliation } from '#database/reconciliation';
import { reconcileSubjects } from '#worker/reconciliation/reconcile-subjects.js';
import type { MaintenanceContext } from '#worker/steps/activities/context.js';
import { owner, storePayment, useEngineDatabase } from './engine-database.js';

const engine = useEngineDatabase();
beforeAll(async () => {
  await openReconciliation(engine.db, owner, 1);
});
afterEach(() => {
  vi.useRealTimers();
});

/** Payments of which nothing can be compared yet: no provider is asked. */
async function round(db: Database = engine.db): Promise<void> {
  const reconciliation = { applications: [owner], publicUrl: '', overlapMs: 1, graceMs: 1, lostAfterMs: 1 };
  await reconcileSubjects({ db, reconciliation } as unknown as MaintenanceContext, owner);
}

async function payments(count: number): Promise<void> {
  const ids: string[] = [];
  for (let nth = 0; nth < count; nth += 1) ids.push((await storePayment(engine.db)).paymentId);
  await sql`insert into timeline (subject_id, version, event, kind, from_status, to_status, at)
    select id, 1, 'paymentCreated', 'moved', 'creating', 'awaiting_approval', now() - interval '1 hour'
    from unnest(${ids}::text[]) as id`.execute(engine.db);
}

/** How many lines of the timeline no round has read. */
async function unread(): Promise<number> {
  const until = (await findReconciliation(engine.db, owner))?.timeline_until;
  const lines = sql<{ count: number }>`select count(*)::integer as count from timeline where id > ${until}`;
  return (await lines.execute(engine.db)).rows[0]?.count ?? 0;
}

it('a round catches up with more changed subjects, and more lines of others, than it reads at a time', async () => {
  await payments(230);
  await sql`insert into timeline (subject_id, version, event, kind, from_status, to_status, at)
    select 're_' || n, 1, 'refundObserved', 'moved', 'pending', 'completed', now() - interval '1 hour'
    from generate_series(1, 2500) n`.execute(engine.db);
  await round();
  // Only up to there the timeline may be purged, too.
  expect(await unread()).toBe(0);
});

it('a round that takes long leaves what more has changed to the next one', async () => {
  await payments(230);
  vi.useFakeTimers({ toFake: ['performance'] });
  const slow = engine.db.withPlugin({
    transformQuery: ({ node }) => {
      vi.advanceTimersByTime(1_000);
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  await round(slow);
  expect(await unread()).toBe(130);
  await round(slow);
  expect(await unread()).toBe(30);
});
