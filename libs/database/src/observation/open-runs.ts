import { sql } from 'kysely';
import * as payment from '#workflows/lifecycle/payment';
import * as payout from '#workflows/lifecycle/payout';
import * as plan from '#workflows/lifecycle/plan';
import * as refund from '#workflows/lifecycle/refund';
import * as subscription from '#workflows/lifecycle/subscription';
import { ownersTable } from '../tables/owners-table.js';
import type { Database } from '../connection/database.js';
import type { Owner } from '../schema/owner.js';

/** How many subjects of a lifecycle stand in a state. */
export interface OpenRuns extends Owner {
  readonly lifecycle: string;
  readonly state: string;
  readonly count: number;
}

/** The states that are no end. Each table has an index by them, so that the many ended subjects cost nothing. */
export const openStates = [
  { lifecycle: 'payment', table: 'payments', open: openOf(payment.paymentStatuses, payment.isTerminal) },
  { lifecycle: 'refund', table: 'refunds', open: openOf(refund.refundStatuses, refund.isRefundTerminal) },
  { lifecycle: 'plan', table: 'plans', open: openOf(plan.planStatuses, plan.isTerminal) },
  {
    lifecycle: 'subscription',
    table: 'subscriptions',
    open: openOf(subscription.subscriptionStatuses, subscription.isTerminal),
  },
  { lifecycle: 'payout', table: 'payouts', open: openOf(payout.payoutStatuses, payout.isTerminal) },
] as const;

/** Open runs by lifecycle and state; a state in which none stands is there with 0. */
export async function countOpenRuns(db: Database, owners: readonly Owner[]): Promise<OpenRuns[]> {
  const counts = openStates.map(
    ({ lifecycle, table, open }) => sql`
      select ${sql.lit(lifecycle)} as lifecycle, environment, application, open_state as state, found.count
      from owners cross join unnest(${open}::text[]) as open_state
      cross join lateral (select count(*) from ${sql.table(table)} as subject
        where subject.environment = owners.environment and subject.application = owners.application
          and subject.status = open_state) as found`,
  );
  const { rows } = await sql<OpenRuns>`
    with owners as (${ownersTable(owners)}) ${sql.join(counts, sql` union all `)}`.execute(db);
  return rows;
}

function openOf<Status extends string>(
  statuses: readonly Status[],
  isEnd: (status: Status) => boolean,
): readonly Status[] {
  return statuses.filter((status) => !isEnd(status));
}
