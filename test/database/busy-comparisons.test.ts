import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { findReconciliation, openReconciliation } from '#database/reconciliation';
import { reconcileSubjects } from '#worker/reconciliation/reconcile-subjects.js';
import type { MaintenanceContext } from '#worker/steps/activities/context.js';
import { owner, storePayment, useEngineDatabase } from './engine-database.js';

const engine = useEngineDatabase();

/** Payments of which nothing can be compared yet: no provider is asked. */
async function round(): Promise<void> {
  const reconciliation = { applications: [owner], publicUrl: '', overlapMs: 1, graceMs: 1, lostAfterMs: 1 };
  await reconcileSubjects({ db: engine.db, reconciliation } as unknown as MaintenanceContext, owner);
}

it('a round catches up with more changed subjects, and more lines of others, than it reads at a time', async () => {
  await openReconciliation(engine.db, owner, 1);
  for (let nth = 0; nth < 230; nth += 1) await storePayment(engine.db);
  await sql`insert into timeline (subject_id, version, event, kind, from_status, to_status, at)
    select id, 1, 'paymentCreated', 'moved', 'creating', 'awaiting_approval', now() - interval '1 hour' from payments`.execute(
    engine.db,
  );
  await sql`insert into timeline (subject_id, version, event, kind, from_status, to_status, at)
    select 're_' || n, 1, 'refundObserved', 'moved', 'pending', 'completed', now() - interval '1 hour'
    from generate_series(1, 2500) n`.execute(engine.db);
  await round();
  const { rows } = await sql<{ last: number }>`select max(id) as last from timeline`.execute(engine.db);
  // Only up to there the timeline may be purged, too.
  expect((await findReconciliation(engine.db, owner))?.timeline_until).toBe(rows[0]?.last);
});
