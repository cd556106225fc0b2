import { sql } from 'kysely';
import type { Database } from '../connection/database.js';
import { openStates } from '../observation/open-runs.js';
import type { Owner } from '../schema/owner.js';
import type { ReconciliationRow } from '../schema/schema.js';

/** A plan is open for as long as it is offered, and moves no money. */
const searchedFor = openStates.filter(({ lifecycle }) => lifecycle !== 'plan');

/**
 * The progress of an application's reconciliation. The first time, the search for events begins at the oldest open
 * subject, and earlier timeline lines are left to the rolling sample.
 *
 * @param overlapMs how long before that subject the search begins.
 */
export async function openReconciliation(
  db: Database,
  owner: Owner,
  overlapMs: number,
): Promise<ReconciliationRow> {
  const known = await findReconciliation(db, owner);
  if (known) return known;
  const oldest = searchedFor.map(
    ({ table, open }) => sql`select min(created_at) as at from ${sql.table(table)}
      where environment = ${owner.environment} and application = ${owner.application} and status = any(${open}::text[])`,
  );
  await db
    .insertInto('reconciliations')
    .values({
      ...owner,
      events_until: sql<Date>`coalesce((select min(at) from (${sql.join(oldest, sql` union all `)}) as oldest), now())
        - ${overlapMs} * interval '1 millisecond'`,
      timeline_until: sql<number>`(select coalesce(max(id), 0) from timeline)`,
      sampled_until: null,
      runs_until: null,
      events_searched_at: null,
      runs_checked_at: null,
      payments_compared_at: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return await rowOf(db, owner).executeTakeFirstOrThrow();
}

export async function findReconciliation(db: Database, owner: Owner): Promise<ReconciliationRow | undefined> {
  return await rowOf(db, owner).executeTakeFirst();
}

/**
 * Moves the cursor of the search, forward only: of two concurrent searches the one that got further counts.
 *
 * @param found the number of missed events.
 */
export async function noteEventsSearched(
  db: Database,
  owner: Owner,
  { until, found }: { readonly until: Date; readonly found: number },
): Promise<void> {
  await change(db, owner)
    .set((row) => ({
      events_until: row.fn('greatest', ['events_until', row.val(until)]),
      events_found: sql<number>`events_found + ${found}`,
    }))
    .execute();
}

/** Records that a part of the reconciliation has finished, and where the next one continues. */
export async function noteReconciled(
  db: Database,
  owner: Owner,
  part:
    | { readonly events: 'searched' }
    | { readonly runsUntil: string | null; readonly restarted: number; readonly unknown: number }
    | { readonly timelineUntil: number; readonly sampledUntil: string | null },
): Promise<void> {
  const now = sql<Date>`clock_timestamp()`;
  if ('events' in part) await change(db, owner).set({ events_searched_at: now }).execute();
  else if ('runsUntil' in part) {
    await change(db, owner)
      .set({
        runs_checked_at: now,
        runs_until: part.runsUntil,
        runs_restarted: sql<number>`runs_restarted + ${part.restarted}`,
        runs_unknown: part.unknown,
      })
      .execute();
  } else {
    await change(db, owner)
      .set({
        payments_compared_at: now,
        timeline_until: part.timelineUntil,
        sampled_until: part.sampledUntil,
      })
      .execute();
  }
}

function rowOf(db: Database, { environment, application }: Owner) {
  return db
    .selectFrom('reconciliations')
    .selectAll()
    .where('environment', '=', environment)
    .where('application', '=', application);
}

function change(db: Database, { environment, application }: Owner) {
  return db
    .updateTable('reconciliations')
    .where('environment', '=', environment)
    .where('application', '=', application);
}
