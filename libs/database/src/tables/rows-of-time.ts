import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../connection/database.js';

/** Tables whose rows are numbered in the order in which they are written, and the instant that each row has. */
const numbered = {
  api_calls: { number: 'id', at: 'started_at' },
  webhook_events: { number: 'id', at: 'received_at' },
  notifications: { number: 'sequence', at: 'created_at' },
} as const;

/** By so much more the instant of a row may differ from when it was written: a call is recorded when it has ended. */
const latenessMs = 3_600_000;

export interface Span {
  /** Included. */
  readonly from?: Date | undefined;
  /** Excluded. */
  readonly to?: Date | undefined;
}

/**
 * Holds for the rows of a span. Their numbers are bounded as well, so that a list by number need not read what is younger or
 * older. No index by time is needed for that, which each write would have to keep. The numbers are read first: the planner
 * must see how few rows are between them.
 */
export async function ofSpan(
  db: Database,
  table: keyof typeof numbered,
  { from, to }: Span,
): Promise<RawBuilder<boolean>> {
  if (!from && !to) return sql<boolean>`true`;
  const { number, at } = numbered[table];
  const [least, most] = [from && before(from), to && after(to)].map(
    (instant) => instant && numberAt(table, instant),
  );
  const { rows } = await sql<{ least: number | null; most: number | null }>`
    select ${least ?? null}::bigint as least, ${most ?? null}::bigint as most`.execute(db);
  const [bounds] = rows;
  const column = (name: string): RawBuilder<unknown> => sql.ref(`${table}.${name}`);
  const conditions = [
    from && sql`${column(at)} >= ${from} and ${column(number)} > ${bounds?.least ?? 0}`,
    to && sql`${column(at)} < ${to} and ${column(number)} <= ${bounds?.most ?? 0}`,
  ];
  return sql<boolean>`(${sql.join(
    conditions.filter((each) => each !== undefined),
    sql` and `,
  )})`;
}

function before(instant: Date): Date {
  return new Date(instant.getTime() - latenessMs);
}

function after(instant: Date): Date {
  return new Date(instant.getTime() + latenessMs);
}

/**
 * A number up to which rows are of before an instant, and from which on they are of later. The rows are only nearly in
 * the order of their instants; whichever place between an earlier and a later one is found, `latenessMs` makes up for it.
 */
function numberAt(table: keyof typeof numbered, instant: Date): RawBuilder<number> {
  const [rows, number, at] = [sql.table(table), sql.ref(numbered[table].number), sql.ref(numbered[table].at)];
  return sql<number>`(
    with recursive search (low, high) as (
      select min(${number}) - 1, max(${number}) + 1 from ${rows}
      union all
      select
        case when probe.at < ${instant} then probe.number else low end,
        case when probe.at < ${instant} then high else middle end
      from search
      cross join lateral (select (low + high) / 2 as middle) as half
      left join lateral (
        select ${number} as number, ${at} as at from ${rows}
        where ${number} >= middle and ${number} < high order by ${number} limit 1
      ) as probe on true
      where high - low > 1
    )
    select low from search order by high - low limit 1)`;
}
