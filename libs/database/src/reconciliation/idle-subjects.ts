import { type RawBuilder, sql } from 'kysely';
import type { Subject } from '#workflows/contract';
import type { LifecycleState, Position, Restarted } from '#workflows/lifecycle';
import type { Database } from '../connection/database.js';
import type { Owner } from '../schema/owner.js';
import type { CommandRow } from '../schema/schema.js';
import type { SubjectTable } from '../tables/subject-tables.js';
import type { SubjectRecords } from '../transitions/transition.js';
import { writeWithoutAttempt } from '../transitions/write-transition.js';

export interface IdlePage {
  /** The last subject of the previous call; null begins again. */
  readonly after: string | null;
  readonly idleForMs: number;
  readonly limit: number;
  /** Only subjects that have changed since. */
  readonly changedSince?: Date;
}

/** A table and its statuses that are not an end. */
export interface OpenRows {
  readonly table: SubjectTable;
  readonly open: readonly string[];
}

/**
 * The next subjects, by id and so kind by kind, that are open and have not changed for a while. Each status uses its
 * own index, so that the many ended subjects cost nothing.
 *
 * @param page which of them.
 */
export async function findIdleSubjects(
  db: Database,
  owner: Owner,
  kinds: readonly OpenRows[],
  page: IdlePage,
): Promise<string[]> {
  const { limit } = page;
  const each = kinds.map((kind) => idleOf(owner, kind, page));
  const { rows } = await sql<{ id: string }>`
    select id from (${sql.join(each, sql` union all `)}) as idle order by id limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * How many subjects of each kind are open.
 *
 * @param changedSince counts only those that have changed since.
 */
export async function countOpenSubjects(
  db: Database,
  { environment, application }: Owner,
  kinds: readonly OpenRows[],
  changedSince?: Date,
): Promise<number[]> {
  const isRecent = changedSince ? sql`and updated_at >= ${changedSince}` : sql``;
  const counts = kinds.map(
    ({ table, open }) => sql`(select count(*) from ${sql.table(table)}
      where environment = ${environment} and application = ${application} and status = any(${open}::text[])
        ${isRecent})`,
  );
  const { rows } = await sql<{ counts: number[] }>`
    select array[${sql.join(counts)}]::float8[] as counts`.execute(db);
  return rows[0]?.counts ?? [];
}

/** Subjects with a command that was accepted a while ago and that no run has begun. */
export async function findForgottenSubjects(
  db: Database,
  { environment, application }: Owner,
  { acceptedForMs, limit }: { acceptedForMs: number; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('commands')
    .select('subject_id')
    .where('status', '=', 'accepted')
    .where('created_at', '<', sql<Date>`now() - ${acceptedForMs} * interval '1 millisecond'`)
    .where('environment', '=', environment)
    .where('application', '=', application)
    // Those that were carried out before a restore stay accepted: they must not keep others from their turn.
    .orderBy(sql`random()`)
    .limit(limit)
    .execute();
  return [...new Set(rows.map(({ subject_id }) => subject_id))];
}

export interface AcceptedCommand extends CommandRow {
  /** How often the run has refused it before it had a row: the row keeps any refusal since. */
  readonly refusals: number;
}

/** Commands that no run has begun, oldest first. */
export async function findAcceptedCommands(db: Database, subjectId: string): Promise<AcceptedCommand[]> {
  return await db
    .selectFrom('commands')
    .selectAll()
    .select(
      sql<number>`(select count(*)::int from timeline
        where timeline.subject_id = commands.subject_id and command_id = commands.id
          and timeline.kind in ('conflict', 'refused') and not is_superseded)`.as('refusals'),
    )
    .where('subject_id', '=', subjectId)
    .where('status', '=', 'accepted')
    .orderBy('created_at')
    .execute();
}

/** What a new run continues from. */
export interface ClaimedForRestart<State> extends Restarted<State> {
  /** Accepted commands that no run has begun. */
  readonly commands: readonly CommandRow[];
}

/**
 * Moves a subject whose run was lost to a state from which a new run can continue, and writes that to its timeline.
 *
 * @param seen the subject's version when its run was found to be lost.
 * @returns undefined if the subject has changed since, or ended.
 */
export async function claimForRestart<State extends LifecycleState>(
  db: Database,
  records: SubjectRecords<State>,
  subject: Subject,
  seen: number,
  restartFrom: (rows: Position<State>, now: number) => Restarted<State>,
): Promise<ClaimedForRestart<State> | undefined> {
  return await db.transaction().execute(async (trx) => {
    const found = await sql<Position<State>>`
      select state, version from ${sql.table(records.table)}
      where id = ${subject.id} and version = ${seen} for update`.execute(trx);
    const [rows] = found.rows;
    if (!rows || records.ends.includes(rows.state.status)) return undefined;
    const restarted = restartFrom(rows, Date.now());
    const { position, entry } = restarted;
    await writeWithoutAttempt(trx, { records, subject, ...position, timeline: [entry] });
    return { ...restarted, commands: await findAcceptedCommands(trx, subject.id) };
  });
}

function idleOf(
  { environment, application }: Owner,
  { table, open }: OpenRows,
  { after, idleForMs, limit, changedSince }: IdlePage,
): RawBuilder<unknown> {
  const isRecent = changedSince ? sql`and updated_at >= ${changedSince}` : sql``;
  return sql`(select idle.id from unnest(${open}::text[]) as open(status) cross join lateral (
    select id from ${sql.table(table)} as subject
    where environment = ${environment} and application = ${application} and subject.status = open.status
      and id > ${after ?? ''} and updated_at < now() - ${idleForMs} * interval '1 millisecond' ${isRecent}
    order by environment desc, application desc, subject.status desc, id limit ${limit}
  ) as idle order by idle.id limit ${limit})`;
}
