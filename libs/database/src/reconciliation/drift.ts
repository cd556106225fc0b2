import { sql } from 'kysely';
import { type Subject, kindOf } from '#workflows/contract';
import type { Difference } from '#workflows/lifecycle';
import { type NewApiCall, apiCallValues } from '../calls/api-calls.js';
import type { Database } from '../connection/database.js';
import { type PageFilter, pageOfOwn } from '../tables/pages.js';
import type { Owner } from '../schema/owner.js';
import type { DriftRow } from '../schema/schema.js';
import { storableText } from '../text/storable-text.js';
import { type SubjectTable, findSubject, tableOf } from '../tables/subject-tables.js';

export interface Comparison {
  readonly subject: Subject;
  /** The other side: a comparison with the provider shows nothing about the run. */
  readonly comparedWith: 'provider' | 'run';
  /** The subject's version at the comparison. */
  readonly version: number;
  readonly differences: readonly Difference[];
  /**
   * The side that was not read, if any. `provider`: nothing is known, and earlier differences remain. `records`: a read
   * by the run is due, and the difference may be what it is about to follow.
   */
  readonly unread?: 'provider' | 'records' | undefined;
  /** The provider's answers: evidence, stored if there is a difference. */
  readonly calls?: readonly NewApiCall[];
}

/** The field name of a difference between the run and the rows. */
export const runField = 'run';

/**
 * Writes the result of a comparison: new differences, continuing ones, and the resolution of the others. A subject that
 * has changed since is left to the next comparison.
 *
 * @returns the fields with a new difference.
 */
export async function recordComparison(db: Database, comparison: Comparison): Promise<string[]> {
  const { subject, version, differences, unread, calls = [] } = comparison;
  return await db.transaction().execute(async (trx) => {
    const unmoved = await sql`select id from ${sql.table(tableOf(subject))}
      where id = ${subject.id} and version = ${version} for share`.execute(trx);
    if (unmoved.rows.length === 0) return [];
    if (unread !== 'provider') await resolveOthers(trx, comparison);
    if (differences.length === 0) return [];
    const seen = await upsert(trx, comparison);
    const fresh = seen.filter(({ isNew }) => isNew).map(({ field }) => field);
    if (fresh.length > 0 && calls.length > 0) {
      await trx
        .insertInto('api_calls')
        .values(calls.map((call) => apiCallValues(subject, call)))
        .execute();
    }
    return fresh;
  });
}

/**
 * Records that the provider did not answer for this subject although it answered for others. Known differences remain.
 */
export async function recordUnanswered(db: Database, subject: Subject): Promise<void> {
  const row = await findSubject(db, subject);
  if (!row) return;
  await upsert(db, {
    subject,
    differences: [{ field: kindOf(subject), ours: row.status, theirs: 'no answer' }],
    unread: 'provider',
  });
}

async function upsert(
  trx: Database,
  { subject, differences, unread }: Pick<Comparison, 'subject' | 'differences' | 'unread'>,
) {
  const { environment, application, id } = subject;
  return await trx
    .insertInto('drift')
    .values(
      differences.map(({ field, ours, theirs }) => ({
        environment,
        application,
        subject_id: id,
        field: storableText(field),
        ours: storableText(ours),
        theirs: storableText(theirs),
        is_unread: unread !== undefined,
        resolved_at: null,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['subject_id', 'field'])
        .where('resolved_at', 'is', null)
        .doUpdateSet((row) => ({
          ours: row.ref('excluded.ours'),
          theirs: row.ref('excluded.theirs'),
          last_seen_at: sql<Date>`now()`,
        })),
    )
    // xmax = 0: the row was inserted by this statement, not updated.
    .returning(['field', sql<boolean>`xmax = 0`.as('isNew')])
    .execute();
}

async function resolveOthers(trx: Database, comparison: Comparison): Promise<void> {
  const { subject, comparedWith, differences, unread } = comparison;
  const stillThere = ['', ...differences.map(({ field }) => field)];
  await trx
    .updateTable('drift')
    .set({ resolved_at: sql<Date>`now()` })
    .where('subject_id', '=', subject.id)
    .where('resolved_at', 'is', null)
    .where('field', comparedWith === 'run' ? '=' : '!=', runField)
    // If both sides were read now, the earlier "unread" entry is resolved.
    .where((row) =>
      row.or([
        row('field', 'not in', stillThere),
        ...(unread === undefined ? [row('is_unread', '=', true)] : []),
      ]),
    )
    .execute();
}

/** Resolves what was recorded of a subject's run, which continues. */
export async function resolveRun(db: Database, { id }: Subject): Promise<void> {
  await db
    .updateTable('drift')
    .set({ resolved_at: sql<Date>`now()` })
    .where('subject_id', '=', id)
    .where('field', '=', runField)
    .where('resolved_at', 'is', null)
    .execute();
}

/** Resolves the drift of runs that ended before their subject, once the subject has ended. */
export async function resolveEndedRuns(
  db: Database,
  { environment, application }: Owner,
  { table, ends }: { readonly table: SubjectTable; readonly ends: readonly string[] },
): Promise<void> {
  await sql`update drift set resolved_at = now() from ${sql.table(table)} as subject
    where subject.id = drift.subject_id and subject.status = any(${ends}::text[])
      and drift.environment = ${environment} and drift.application = ${application}
      and drift.field = ${runField} and drift.resolved_at is null`.execute(db);
}

/** True if the comparison has a difference that is not recorded as open. */
export async function hasNewDifference(
  db: Database,
  { subject, differences, unread }: Pick<Comparison, 'subject' | 'differences' | 'unread'>,
): Promise<boolean> {
  if (differences.length === 0) return false;
  const known = await listDriftOf(db, subject.id);
  const recorded = known.filter(
    (row) => row.resolved_at === null && (!row.is_unread || unread !== undefined),
  );
  const open = new Set(recorded.map(({ field }) => field));
  return differences.some(({ field }) => !open.has(field));
}

/** A subject's open and resolved drift, oldest first. */
export async function listDriftOf(db: Database, subjectId: string): Promise<DriftRow[]> {
  return await db.selectFrom('drift').selectAll().where('subject_id', '=', subjectId).orderBy('id').execute();
}

export interface DriftFilter extends PageFilter<number> {
  readonly isResolved?: boolean | undefined;
  readonly isUnread?: boolean | undefined;
}

export async function listDrift(db: Database, filter: DriftFilter): Promise<DriftRow[]> {
  const { isResolved, isUnread } = filter;
  const all = db.selectFrom('drift').selectAll();
  const rows = isUnread === undefined ? all : all.where('is_unread', '=', isUnread);
  return await pageOfOwn(
    isResolved === undefined ? rows : rows.where('resolved_at', isResolved ? 'is not' : 'is', null),
    filter,
  );
}

/** The number of open differences, and of open entries because one side was not read. */
export async function countOpenDrift(
  db: Database,
  { environment, application }: Owner,
): Promise<{ readonly differing: number; readonly unread: number }> {
  return await db
    .selectFrom('drift')
    .select(({ fn }) => [
      fn.countAll<number>().filterWhere('is_unread', '=', false).as('differing'),
      fn.countAll<number>().filterWhere('is_unread', '=', true).as('unread'),
    ])
    .where('environment', '=', environment)
    .where('application', '=', application)
    .where('resolved_at', 'is', null)
    .executeTakeFirstOrThrow();
}
