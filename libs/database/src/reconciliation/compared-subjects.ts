import { type RawBuilder, sql } from 'kysely';
import type { Subject } from '#workflows/contract';
import type { Database } from '../connection/database.js';
import type { Owner } from '../schema/owner.js';
import { type SubjectTable, tableOf } from '../tables/subject-tables.js';

/** Entries of the story that are looked through at once; those of other applications are among them. */
const entriesAtOnce = 2_000;

/**
 * Subjects whose story has gone on, and how far that story has been read.
 *
 * @param tables of what is compared; what stands in others is read past.
 * @param after the last entry that was read.
 * @param unchangedForMs entries younger than this wait: the provider's reads may lag behind, and entries that were
 *   numbered earlier may still be on their way.
 */
export async function findChangedSubjects(
  db: Database,
  owner: Owner,
  tables: readonly SubjectTable[],
  { after, unchangedForMs, limit }: { after: number; unchangedForMs: number; limit: number },
): Promise<{ readonly ids: readonly string[]; readonly until: number }> {
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
  return { ids: [...changed].slice(0, limit), until };
}

/** Subjects that did not agree when they were last compared, the longest ago first. */
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
 * The next few subjects of a walk, kind by kind (an id begins with its kind) and in each from the newest to those that
 * are `reachMs` old; and again from the newest.
 *
 * @param before the last one of the walk so far.
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

/** Ids of one kind sort by age: so few are read of each, however many there are beyond the reach. */
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

/** A subject as it is compared. */
export interface UnchangedSubject<State> {
  readonly status: string;
  readonly version: number;
  readonly state: State;
}

/** The subject as its row has it, unless it has just changed: then its own timeline brings it up again. */
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
