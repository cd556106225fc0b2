import { sql } from 'kysely';
import type { PayoutIdentity } from '#workflows/contract';
import type { ItemStatus, ItemTotals, PayoutStatus } from '#workflows/lifecycle/payout';
import type { Database } from '../connection/database.js';
import { type AmountRange, isInRange } from '../tables/amount-range.js';
import { type SubjectFilter, subjectsOf } from '../tables/pages.js';
import type { PayoutItemRow, PayoutRow } from '../schema/schema.js';
import { totalsOfItems } from './payout-items.js';
import { type Shown, shownVersionOf } from '../tables/shown-version.js';

/** A payout without its encrypted receivers and texts, which go only to the provider. */
export interface PayoutView extends Shown<
  Omit<PayoutRow, 'sealed_letters' | 'reference_freed' | 'version_floor'>
> {
  /** Of the items' rows, at the instant of the payout's row. */
  readonly totals: ItemTotals;
  /** The amount of the item that is being cancelled. */
  readonly cancelled_minor: number | null;
}

const viewed = [
  'id',
  'environment',
  'application',
  'reference',
  'status',
  'state',
  'version',
  'read_began_at',
  'metadata',
  'created_at',
  'updated_at',
] as const;

export async function findPayout(
  db: Database,
  { environment, application, payoutId }: PayoutIdentity,
): Promise<PayoutView | undefined> {
  return await viewsOfPayouts(db)
    .where('id', '=', payoutId)
    .where('environment', '=', environment)
    .where('application', '=', application)
    .executeTakeFirst();
}

export async function listPayouts(
  db: Database,
  { amount, ...filter }: SubjectFilter<PayoutStatus> & { readonly amount?: AmountRange | undefined },
): Promise<PayoutView[]> {
  const all = viewsOfPayouts(db);
  return await subjectsOf(amount ? all.where(isInRange(amount, total)) : all, filter);
}

/** The words of the index payouts_by_amount. */
const total = {
  currency: sql`(payouts.state->'order'->'total'->>'currency')`,
  minor: sql`((payouts.state->'order'->'total'->>'minor')::bigint)`,
};

function viewsOfPayouts(db: Database) {
  return db
    .selectFrom('payouts')
    .select(viewed)
    .select([shownVersionOf('payouts'), totalsOfItems, minorOfCancelled]);
}

const minorOfCancelled = sql<number | null>`(
  select minor from payout_items
  where payout_id = payouts.id and item_id = payouts.state #>> '{openStep,step,itemId}')`.as(
  'cancelled_minor',
);

export interface ItemFilter {
  readonly status?: ItemStatus | undefined;
  /** Items after this position. */
  readonly after?: number | undefined;
  readonly limit?: number;
}

/** In the order of the request, by key. */
export async function listPayoutItems(
  db: Database,
  payoutId: string,
  { status, after, limit }: ItemFilter = {},
): Promise<PayoutItemRow[]> {
  let query = db.selectFrom('payout_items').selectAll().where('payout_id', '=', payoutId);
  if (status) query = query.where('status', '=', status);
  if (after !== undefined) query = query.where('position', '>', after);
  if (limit !== undefined) query = query.limit(limit);
  return await query.orderBy('position').execute();
}

export async function findPayoutItem(
  db: Database,
  payoutId: string,
  itemId: string,
): Promise<PayoutItemRow | undefined> {
  return await db
    .selectFrom('payout_items')
    .selectAll()
    .where('payout_id', '=', payoutId)
    .where('item_id', '=', itemId)
    .executeTakeFirst();
}
