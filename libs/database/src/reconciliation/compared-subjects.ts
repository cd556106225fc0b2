import { type RawBuilder, sql } from 'kysely';
import type { Subject } from '#workflows/contract';
import type { Database } from '../connection/database.js';
import type { Owner } from '../schema/owner.js';
import { type SubjectTable, tableOf } from '../tables/subject-tables.js';

/** The number of timeline lines to read at once, including those of other applications. */
const entriesAtOnce = 2_000;

export interface ChangedSubjects {
  readonly ids: readonly string[];
  /** The last line that was read. */
  readonly until: number;
  /** Lines after it are old enough as well, as far as was read. */
  readonly hasMore: boolean;
}

/**
 * Subjects with new timeline lines.
 *
 * @param tables the tables of compared subjects; other subjects are skipped.
 * @param after the last line that was read.
 * @param unchangedForMs younger lines wait, because the provider's reads may lag and lines with lower numbers may not
 *   be committed yet.
 */
export async function findChangedSubjects(
  db: Database,
  owner: Owner,
  tables: readonly SubjectTable[],
  { after, unchangedForMs, limit }: { after: number; unchangedForMs: number; limit: number },
): Promise<ChangedSubjects> {
  const isOwn = tables.map(
    (table) => sql`exists (select from ${sql.table(table)} as subject where subject.id = entry.subject_id
      and subject.environment = ${owner.environment} and subject.application = ${owner.application})`,
  );
  const { rows } = await sql<{ id: number; subject_id: string; isOwn: boolean }>`
    select entry.id, entry.subject_id, ${sql.join(isOwn, sql` or `)} as "isOwn"
    from (
      select id, subject_id from timeline where id > ${after} and at < ${ago(unchangedForMs)}
      order by id limit ${entriesAtOnce}
    ) as entry order by entry.id`.execute(db);
  const changed = new Set<string>();
  let until = after;
  for (const entry of rows) {
    if (entry.isOwn) changed.add(entry.subject_id);
    if (changed.size > limit) break;
    until = entry.id;
  }
  const hasMore = changed.size > limit || rows.length === entriesAtOnce;
  return { ids: [...changed].slice(0, limit), until, hasMore };
}

/** Subjects with open drift, the least recently compared first. */
export async function findDriftedSubjects(db: Database, owner: Owner, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('drift')
    .select('subject_id')
    .where('environment', '=', owner.environment)
    .where('application', '=', owner.application)
    .where('resolved_at', 'is', null)
    .groupBy('subject_id')
    .orderBy(({ fn }) => fn.min('last_seen_at'))
    .limit(limit)
    .execute();
  return rows.map(({ subject_id }) => subject_id);
}

/**
 * The next subjects of a rolling sample: kind by kind (an id begins with its kind), each kind from the newest to those
 * of age `reachMs`, then again from the newest.
 *
 * @param before the last subject of the sample so far.
 */
export async function sampleSubjects(
  db: Database,
  owner: Owner,
  tables: readonly SubjectTable[],
  sample: { before: string | null; reachMs: number; limit: number },
): Promise<string[]> {
  const each = tables.map((table) => sampleOf(owner, table, sample));
  const { rows } = await sql<{ id: string }>`
    select id from (${sql.join(each, sql` union all `)}) as sampled
    order by id desc limit ${sample.limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Ids of one kind sort by age, so only few rows of each kind are read. */
function sampleOf(
  { environment, application }: Owner,
  table: SubjectTable,
  { before, reachMs, limit }: { before: string | null; reachMs: number; limit: number },
): RawBuilder<unknown> {
  const earlier = before === null ? sql`` : sql`and id < ${before}`;
  return sql`select id from (
    select id, created_at from ${sql.table(table)} as subject
    where environment = ${environment} and application = ${application} ${earlier}
    order by id desc limit ${limit}
  ) as subject where created_at > ${ago(reachMs)}`;
}

/** A subject for the comparison. */
export interface UnchangedSubject<State> {
  readonly status: string;
  readonly version: number;
  readonly state: State;
}

/** The subject's row, unless it has just changed: then its new timeline line selects it again later. */
export async function findUnchangedSubject<State>(
  db: Database,
  { environment, application, id }: Subject,
  unchangedForMs: number,
): Promise<UnchangedSubject<State> | undefined> {
  const { rows } = await sql<UnchangedSubject<State>>`
    select status, version, state from ${sql.table(tableOf({ id }))}
    where id = ${id} and environment = ${environment} and application = ${application}
      and updated_at < ${ago(unchangedForMs)}`.execute(db);
  return rows[0];
}

function ago(ms: number) {
  return sql<Date>`now() - ${ms} * interval '1 millisecond'`;
}
