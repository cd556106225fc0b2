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
  /** The latest webhook event about it. */
  readonly event_type: string | null;
}

/** A subject that may need a person. */
export type UrgentRow =
  | UrgentRowOf<'payments', PaymentState>
  | UrgentRowOf<'refunds', RefundState>
  | UrgentRowOf<'subscriptions', SubscriptionState>
  | UrgentRowOf<'plans', PlanState>
  | UrgentRowOf<'payouts', PayoutState>;

/** Reviews, then unknown outcomes, then holds by the end of their window; of each the oldest, up to the limit. */
export async function listUrgent(
  db: Database,
  owners: readonly Owner[],
  { holdsWithinMs, limit }: { readonly holdsWithinMs: number; readonly limit: number },
): Promise<UrgentRow[]> {
  const until = Date.now() + holdsWithinMs;
  const rowOf = ({ table, label }: (typeof countedTables)[number]) => sql`environment, application,
    ${sql.lit(table)} as "table", id, status, ${label}::text as label, state, updated_at`;
  const since = sql`coalesce((state #>> '{openStep,since}')::numeric, extract(epoch from updated_at) * 1000)`;
  const parts = [
    ...countedTables.map(
      (each) => sql`(select 1 as rank, ${since} as at, ${rowOf(each)} ${from(each.table)}
        where status = 'needs_review' order by 2 limit ${limit})`,
    ),
    ...countedTables.map(
      (each) => sql`(select 2 as rank, ${since} as at, ${rowOf(each)} ${from(each.table)}
        where status = any(${each.inFlight}::text[]) and ${isInDoubt} order by 2 limit ${limit})`,
    ),
    sql`(select 3 as rank, hold_until as at, ${rowOf(countedTables[0])} ${endingHolds(until, limit)})`,
  ];
  const { rows } = await sql<UrgentRow>`
    with owners as (${ownersTable(owners)}), urgent as (${sql.join(parts, sql` union all `)}),
      first as (select * from urgent order by rank, at, id limit ${limit})
    select first.*, (select event_type from webhook_events where subject_id = first.id order by id desc limit 1) as event_type
    from first order by rank, at, id`.execute(db);
  return rows;
}

/**
 * Held payments whose window ends before an instant, of each application the first ones.
 *
 * @param most of an application; null: all.
 */
export function endingHolds(until: number, most: number | null): RawBuilder<unknown> {
  // In the order of the index payments_by_hold.
  return sql`from owners cross join lateral (
    select id, status, order_id, state, updated_at, hold_until from payments
    where environment = owners.environment and application = owners.application
      and ${areHeld} and hold_until < ${until}
    order by hold_until limit ${most}) as held`;
}

function from(table: string) {
  return sql`from owners join ${sql.table(table)} using (environment, application)`;
}
