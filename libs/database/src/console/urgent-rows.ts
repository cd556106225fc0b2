import { type RawBuilder, sql } from 'kysely';
import type { PaymentState } from '#workflows/lifecycle/payment';
import type { PayoutState } from '#workflows/lifecycle/payout';
import type { PlanState } from '#workflows/lifecycle/plan';
import type { RefundState } from '#workflows/lifecycle/refund';
import type { SubscriptionState } from '#workflows/lifecycle/subscription';
import type { Database } from '../connection/database.js';
import type { Owner } from '../schema/owner.js';
import { areHeld } from '../tables/held-payments.js';
import { ownersTable } from '../tables/owners-table.js';

/**
 * The tables of the subjects that can need a person, and the statuses in which a call's outcome can be unknown: few rows
 * have them at a time, and each table has an index by status.
 */
export const countedTables = [
  {
    table: 'payments',
    label: sql.ref('order_id'),
    inFlight: ['creating', 'authorizing', 'executing', 'capturing', 'reauthorizing', 'voiding'],
  },
  { table: 'refunds', label: sql.ref('payment_id'), inFlight: ['requesting'] },
  {
    table: 'subscriptions',
    label: sql.ref('name'),
    inFlight: [
      'creating',
      'executing',
      'suspending',
      'reactivating',
      'cancelling',
      'billing_balance',
      'setting_balance',
    ],
  },
  { table: 'plans', label: sql.ref('name'), inFlight: ['creating', 'activating', 'deactivating'] },
  { table: 'payouts', label: sql.ref('reference'), inFlight: ['creating', 'processing', 'settling'] },
] as const;

export const isInDoubt = sql<boolean>`state #>> '{openStep,phase}' = 'doubt'`;

interface UrgentRowOf<Table extends string, State> extends Owner {
  readonly table: Table;
  readonly id: string;
  readonly status: string;
  readonly label: string | null;
  readonly state: State;
  readonly updated_at: Date;
  /** With the rank and the id the place in the queue. */
  readonly at: number;
  readonly rank: number;
  /** The latest webhook event about it, and what it says of its resource. */
  readonly event_type: string | null;
  readonly event_state: string | null;
  readonly event_at: Date | null;
  /** When the latest attempt of a step was sent, and its answer: no status if there was none. */
  readonly sent_at: Date | null;
  readonly answer_status: number | null;
}

/** A subject that may need a person. */
export type UrgentRow =
  | UrgentRowOf<'payments', PaymentState>
  | UrgentRowOf<'refunds', RefundState>
  | UrgentRowOf<'subscriptions', SubscriptionState>
  | UrgentRowOf<'plans', PlanState>
  | UrgentRowOf<'payouts', PayoutState>;

/** The parts of the queue, the most urgent first: a place in it begins with the number of its part. */
export const urgentKinds = ['review', 'doubt', 'holds'] as const;
export type UrgentKind = (typeof urgentKinds)[number];

/** A place in the queue: the row that has it. */
export type UrgentPlace = Pick<UrgentRow, 'rank' | 'at' | 'id'>;

export interface UrgentFilter {
  readonly holdsWithinMs: number;
  readonly limit: number;
  /** Absent: all of them. */
  readonly kind?: UrgentKind | undefined;
  /** The rows behind this place. */
  readonly after?: UrgentPlace | undefined;
}

/** Reviews, then unknown outcomes, then holds by the end of their window; of each the oldest, up to the limit. */
export async function listUrgent(
  db: Database,
  owners: readonly Owner[],
  { holdsWithinMs, limit, kind, after }: UrgentFilter,
): Promise<UrgentRow[]> {
  const parts = partsOf(Date.now() + holdsWithinMs, limit, after);
  const asked = urgentKinds.flatMap((each, rank) =>
    (kind ?? each) === each && rank >= (after?.rank ?? 0) ? parts[each] : [],
  );
  // A place that is behind all that was asked for.
  if (asked.length === 0) return [];
  const { rows } = await sql<UrgentRow>`
    with owners as (${ownersTable(owners)}), urgent as (${sql.join(asked, sql` union all `)}),
      first as (select * from urgent order by rank, at, id limit ${limit})
    select first.*, event_type, event_state, event_at, sent_at, answer_status from first
    left join lateral (select event_type, resource->>'state' as event_state, received_at as event_at
      from webhook_events where subject_id = first.id order by id desc limit 1) as event on true
    left join lateral (select begun_at as sent_at, request_id
      from attempts where subject_id = first.id order by begun_at desc limit 1) as attempt on true
    left join lateral (select status as answer_status from api_calls
      where subject_id = first.id and api_calls.request_id = attempt.request_id
      order by started_at desc limit 1) as call on true
    order by rank, at, id`.execute(db);
  return rows;
}

function partsOf(
  until: number,
  limit: number,
  after: UrgentPlace | undefined,
): Record<UrgentKind, RawBuilder<unknown>[]> {
  const rowOf = ({ table, label }: (typeof countedTables)[number]) => sql`environment, application,
    ${sql.lit(table)} as "table", id, status, ${label}::text as label, state, updated_at`;
  const since = sql`coalesce((state #>> '{openStep,since}')::numeric, extract(epoch from updated_at) * 1000)::float8`;
  const behind = (rank: number, at: RawBuilder<unknown>) =>
    after?.rank === rank ? sql`(${at}, id) > (${after.at}::float8, ${after.id})` : sql`true`;
  const inTable = (rank: number, each: (typeof countedTables)[number], condition: RawBuilder<unknown>) =>
    sql`(select ${sql.lit(rank)} as rank, ${since} as at, ${rowOf(each)} ${from(each.table)}
      where ${condition} and ${behind(rank, since)} order by 2, id limit ${limit})`;
  return {
    review: countedTables.map((each) => inTable(0, each, sql`status = 'needs_review'`)),
    doubt: countedTables.map((each) =>
      inTable(1, each, sql`status = any(${each.inFlight}::text[]) and ${isInDoubt}`),
    ),
    holds: [
      sql`(select 2 as rank, hold_until::float8 as at, ${rowOf(countedTables[0])}
        ${endingHolds(until, limit, after?.rank === 2 ? after : undefined)})`,
    ],
  };
}

/**
 * Held payments whose window ends before an instant, of each application the first ones.
 *
 * @param most of an application; null: all.
 * @param after those behind this one.
 */
export function endingHolds(
  until: number,
  most: number | null,
  after?: Pick<UrgentPlace, 'at' | 'id'>,
): RawBuilder<unknown> {
  const behind = after
    ? sql`and hold_until >= ${after.at}::bigint and (hold_until, id) > (${after.at}::bigint, ${after.id})`
    : sql``;
  // In the order of the index payments_by_hold.
  return sql`from owners cross join lateral (
    select id, status, order_id, state, updated_at, hold_until from payments
    where environment = owners.environment and application = owners.application
      and ${areHeld} and hold_until < ${until} ${behind}
    order by hold_until, id limit ${most}) as held`;
}

function from(table: string) {
  return sql`from owners join ${sql.table(table)} using (environment, application)`;
}
