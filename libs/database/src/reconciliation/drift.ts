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
  /** With whom: the provider's word says nothing about the run. */
  readonly comparedWith: 'provider' | 'run';
  /** Of the subject when it was compared. */
  readonly version: number;
  readonly differences: readonly Difference[];
  /**
   * Which side was not read, if any. The provider: nothing else could be seen, and what differed before still stands. The
   * records: their run owes a read, and what differs may be what it is about to follow.
   */
  readonly unread?: 'provider' | 'records' | undefined;
  /** What the provider answered: the evidence, kept when there is a difference. */
  readonly calls?: readonly NewApiCall[];
}

/** What differs when it is the run that does not agree with the rows. */
export const runField = 'run';

/**
 * Writes what a comparison has shown: new differences, those that are still there, and that the others have gone. A
 * subject that has moved since it was compared is left to the next comparison.
 *
 * @returns the fields that differ since now.
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

/** A subject that the provider tells nothing of, though it answers for others: what was known of it stands. */
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
    // Untouched by an earlier transaction: inserted by this one.
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
    // Both sides are read now: what differs is a difference of its own.
    .where((row) =>
      row.or([
        row('field', 'not in', stillThere),
        ...(unread === undefined ? [row('is_unread', '=', true)] : []),
      ]),
    )
    .execute();
}

/** A run that had ended before what it was about no longer matters once that has ended. */
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

/** True where something differs that is not on record as differing now. */
export async function hasNewDifference(
  db: Database,
  { subject, differences, unread }: Pick<Comparison, 'subject' | 'differences' | 'unread'>,
): Promise<boolean> {
  if (differences.length === 0) return false;
  const known = await listDriftOf(db, subject.id);
  const told = known.filter((row) => row.resolved_at === null && (!row.is_unread || unread !== undefined));
  const open = new Set(told.map(({ field }) => field));
  return differences.some(({ field }) => !open.has(field));
}

/** A subject's drift, the present and the past, oldest first. */
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

/** What differs now, and of what it is not known because it was not read. */
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
