import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../connection/database.js';
import type { Owner } from '../schema/owner.js';
import { ownersTable } from '../tables/owners-table.js';
import { differenceConditions } from './differences.js';
import { isFailing } from './endpoints.js';
import { countedTables, endingHolds, isInDoubt } from './urgent-rows.js';

/** How many there are, and since when the oldest. */
export interface Counter {
  readonly count: number;
  readonly oldest: Date | null;
}

export interface Counters {
  readonly doubt: Counter;
  readonly review: Counter;
  readonly holds: Counter;
  readonly parked: Counter;
  readonly drift: Counter;
  /** Runs that cannot continue. */
  readonly blocked: Counter;
  readonly endpoints: Counter;
}

/**
 * What a person must look at, over all applications.
 *
 * @param mostHolds holds are counted up to this number: there are as many of them as there is business.
 */
export async function countUrgent(
  db: Database,
  owners: readonly Owner[],
  { holdsWithinMs, mostHolds = null }: { readonly holdsWithinMs: number; readonly mostHolds?: number | null },
): Promise<Counters> {
  const until = Date.now() + holdsWithinMs;
  const parts: Record<keyof Counters, RawBuilder<unknown>> = {
    doubt: sql`select count(*) as count, to_timestamp(min(since) / 1000) as oldest from (${sql.join(
      countedTables.map(
        ({ table, inFlight }) => sql`select (state #>> '{openStep,since}')::numeric as since from owners
          join ${sql.table(table)} using (environment, application)
          where status = any(${inFlight}::text[]) and ${isInDoubt}`,
      ),
      sql` union all `,
    )}) as doubtful`,
    review: sql`select count(*) as count, min(since) as oldest from (${sql.join(
      countedTables.map(
        ({ table }) => sql`select updated_at as since from owners
          join ${sql.table(table)} using (environment, application) where status = 'needs_review'`,
      ),
      sql` union all `,
    )}) as reviewed`,
    holds: sql`select count(*) as count, to_timestamp(min(hold_until) / 1000.0) as oldest
      from (select hold_until ${endingHolds(until, mostHolds)} limit ${mostHolds}) as hold`,
    parked: sql`select count(*) as count, min(received_at) as oldest from owners
      join webhook_events using (environment, application) where due_at is not null and status = 'parked'`,
    drift: sql`select count(*) as count, min(first_seen_at) as oldest from owners
      join drift using (environment, application)
      where resolved_at is null and ${differenceConditions.difference}`,
    blocked: sql`select count(*) as count, min(first_seen_at) as oldest from owners
      join drift using (environment, application) where resolved_at is null and ${differenceConditions.run}`,
    endpoints: sql`select count(*) as count, min(coalesce(failing_since, updated_at)) as oldest from owners
      join notification_endpoints using (environment, application)
      where ${isFailing}`,
  };
  const selects = Object.entries(parts).map(
    ([name, part]) => sql`select ${sql.lit(name)} as name, * from (${part}) as _`,
  );
  const { rows } = await sql<Counter & { readonly name: keyof Counters }>`
    with owners as (${ownersTable(owners)}) ${sql.join(selects, sql` union all `)}`.execute(db);
  const counted = Object.fromEntries(rows.map(({ name, count, oldest }) => [name, { count, oldest }]));
  return counted as unknown as Counters;
}

/** The latest signs of life of an application's provider and of reconciliation. */
export interface Pulse extends Owner {
  readonly event_at: Date | null;
  /** When the part of reconciliation that is furthest behind last finished. Null before the first round. */
  readonly reconciled_at: Date | null;
  /** Null while the provider has our webhook as it should be, as far as it was asked. */
  readonly webhook_problem: string | null;
}

export async function readPulses(db: Database, owners: readonly Owner[]): Promise<Pulse[]> {
  const { rows } = await sql<Pulse>`
    with owners as (${ownersTable(owners)})
    select owners.environment, owners.application, event.received_at as event_at,
      -- A search that has never finished is as old as its cursor.
      least(coalesce(events_searched_at, events_until), runs_checked_at, payments_compared_at) as reconciled_at,
      case when webhook_id is null then coalesce(problem, 'None is registered yet.') else problem end as webhook_problem
    from owners
    -- By rows, so that only the index by age fits: one by id reads all events of others that came since.
    left join lateral (select environment, application, received_at from webhook_events
      where (environment, application, id) <= (owners.environment, owners.application, 9223372036854775807)
      order by environment desc, application desc, id desc limit 1) as event using (environment, application)
    left join reconciliations using (environment, application)
    left join provider_webhooks using (environment, application)`.execute(db);
  return rows;
}
