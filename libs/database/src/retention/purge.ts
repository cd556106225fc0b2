import { setTimeout as wait } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../connection/database.js';
import { type AgedRows, agedRows, type PurgedKind, type PurgedRows, purgedRows } from './purged-rows.js';
import { endedSubject, hasRested, isOfNoSubject } from './subjects-at-rest.js';

/** For how many days rows are kept; what is absent is kept for good. */
export type KeptDays = Readonly<Partial<Record<PurgedKind, number | undefined>>>;
/** By environment. */
export type Retention = Readonly<Partial<Record<string, KeptDays | undefined>>>;

export interface PurgePace {
  /** Rows that one statement looks at. */
  readonly batch: number;
  /** The pause between two statements, in which the API and workers use the database. */
  readonly pauseMs: number;
  readonly signal?: AbortSignal;
}

export type Purged = Record<PurgedKind, number>;

/**
 * Deletes rows that are older than their environment keeps them and that nobody needs any more, in small statements
 * beside the API and workers. Each is a transaction: a purge that ends early has done a part, and the next one goes on.
 */
export async function purge(db: Database, retention: Retention, pace: PurgePace): Promise<Purged> {
  const purged: Purged = {
    apiCalls: 0,
    webhookEvents: 0,
    webhookTransmissions: 0,
    timeline: 0,
    notifications: 0,
    consoleAudit: 0,
    sessions: 0,
  };
  for (const kind of Object.keys(purgedRows) as (keyof typeof purgedRows)[])
    purged[kind] = await purgeRows(db, purgedRows[kind], daysOf(retention, kind), pace);
  for (const kind of Object.keys(agedRows) as (keyof typeof agedRows)[])
    for (const rows of agedRows[kind])
      purged[kind] += await purgeAged(db, rows, daysOf(retention, kind), pace);
  return purged;
}

interface Days {
  readonly environment: string;
  readonly days: number;
}

function daysOf(retention: Retention, kind: PurgedKind): Days[] {
  return Object.entries(retention).flatMap(([environment, kept]) => {
    const days = kept?.[kind];
    return days === undefined ? [] : [{ environment, days }];
  });
}

async function purgeRows(
  db: Database,
  rows: PurgedRows,
  kept: readonly Days[],
  { batch, pauseMs, signal }: PurgePace,
): Promise<number> {
  if (kept.length === 0) return 0;
  let deleted = 0;
  for (let after = 0; ;) {
    signal?.throwIfAborted();
    const step = await purgeBatch(db, rows, kept, { after, batch });
    deleted += step.deleted;
    if (step.until === null || step.looked < batch || step.isYoung) return deleted;
    after = step.until;
    await wait(pauseMs, undefined, { ...(signal && { signal }) });
  }
}

interface Step {
  /** The last row that was looked at. */
  readonly until: number | null;
  readonly looked: number;
  readonly deleted: number;
  /** True if all rows that were looked at are too young for every environment; then those after them are, too. */
  readonly isYoung: boolean;
}

const line = (column: string) => sql.ref(`line.${column}`);

async function purgeBatch(
  db: Database,
  { table, key, at, subjectId, environment, isNoLongerNeeded, parts = [] }: PurgedRows,
  kept: readonly Days[],
  { after, batch }: { readonly after: number; readonly batch: number },
): Promise<Step> {
  const since = sql`now() - kept.days * interval '1 day'`;
  const deletedParts = parts.map(
    (part, nth) =>
      sql`, ${sql.ref(`part_${nth}`)} as (delete from ${sql.table(part.table)} where ${part.belongs})`,
  );
  const { rows } = await sql<Step>`
    with page as materialized (
      select *, xmin as row_version from ${sql.table(table)} where ${sql.ref(key)} > ${after} order by ${sql.ref(key)} limit ${batch}
    ), gone as materialized (
      select ${line(key)} as key, row_version from page as line
      left join lateral ${endedSubject(subjectId)} as subject on true
      join ${daysTable(kept)} on kept.environment = coalesce(${environment}, subject.environment)
      where ${line(at)} < ${since} and ${isNoLongerNeeded}
        and case when subject.id is null then ${isOfNoSubject(subjectId)} else ${hasRested('subject', since)} end
    ), deleted as (
      -- A row that has changed since, while the deletion waited for it, may be needed again.
      delete from ${sql.table(table)} as line using gone where ${line(key)} = gone.key and line.xmin = row_version
      returning gone.key
    )${sql.join(deletedParts, sql``)}
    select (select max(${sql.ref(key)}) from page) as until,
      (select count(*) from page) as looked,
      (select count(*) from deleted) as deleted,
      (select coalesce(bool_and(${line(at)} >= now() - ${leastOf(kept)} * interval '1 day'), true)
        from page as line) as "isYoung"`.execute(db);
  return rows[0] ?? { until: null, looked: 0, deleted: 0, isYoung: true };
}

function daysTable(kept: readonly Days[]): RawBuilder<unknown> {
  const rows = kept.map(({ environment, days }) => sql`(${environment}::text, ${days}::float8)`);
  return sql`(values ${sql.join(rows)}) as kept (environment, days)`;
}

function leastOf(kept: readonly Days[]): number {
  return Math.min(...kept.map(({ days }) => days));
}

/** They have no number: the oldest are looked for, by an index where there are many. */
async function purgeAged(
  db: Database,
  { table, key, at, environment: of }: AgedRows,
  kept: readonly Days[],
  { batch, pauseMs, signal }: PurgePace,
): Promise<number> {
  const keys = sql.join(key.map((column) => sql.ref(column)));
  let deleted = 0;
  for (const { environment, days } of kept) {
    for (;;) {
      signal?.throwIfAborted();
      const { numAffectedRows = 0n } = await sql`
        delete from ${sql.table(table)} where (${keys}) in (
          select ${keys} from ${sql.table(table)}
          where ${of} = ${environment} and ${sql.ref(at)} < now() - ${days} * interval '1 day'
          order by ${sql.ref(at)} limit ${batch}
        )`.execute(db);
      deleted += Number(numAffectedRows);
      if (Number(numAffectedRows) < batch) break;
      await wait(pauseMs, undefined, { ...(signal && { signal }) });
    }
  }
  return deleted;
}
