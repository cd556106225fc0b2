import { type ExpressionBuilder, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { type RefundStatus, isRefundTerminal, refundStatuses } from '#workflows/lifecycle/refund';
import type { Database } from '../connection/database.js';
import { type AmountRange, isInRange } from '../tables/amount-range.js';
import { type SubjectFilter, subjectsOf } from '../tables/pages.js';
import type { EngineTables, RefundRow } from '../schema/schema.js';
import { type Shown, shownVersionOf } from '../tables/shown-version.js';
import type { Owner } from '../schema/owner.js';
import type { StoredEntry } from '../transitions/timeline.js';

/** A refund as it is shown, with its timeline. */
export interface RefundWithTimeline extends Shown<Pick<RefundRow, 'id' | 'state' | 'version' | 'metadata'>> {
  readonly timeline: readonly TimelineLine[];
}

/** A line of a timeline. */
interface TimelineLine extends Omit<StoredEntry, 'command_id' | 'at'> {
  /** ISO 8601, because the database returns it as JSON. */
  readonly at: string;
}

export async function findRefund(
  db: Database,
  { environment, application }: Owner,
  id: string,
): Promise<(RefundRow & RefundWithTimeline) | undefined> {
  return await refundsWithTimeline(db)
    .where((refund) => refund.and({ id, environment, application }))
    .executeTakeFirst();
}

interface RefundFilter extends SubjectFilter<RefundStatus> {
  readonly paymentId?: string | undefined;
  readonly amount?: AmountRange | undefined;
}

export async function listRefunds(
  db: Database,
  { paymentId, amount, ...filter }: RefundFilter,
): Promise<(RefundRow & RefundWithTimeline)[]> {
  const all = refundsWithTimeline(db);
  const of = paymentId === undefined ? all : all.where('payment_id', '=', paymentId);
  const its = { currency: sql`refunds.currency`, minor: sql`refunds.minor` };
  const asked = amount ? of.where(isInRange(amount, its)) : of;
  return await subjectsOf(asked, { ...filter, byCreation: 'refunds' });
}

function refundsWithTimeline(db: Database) {
  return db
    .selectFrom('refunds')
    .selectAll('refunds')
    .select(shownVersionOf('refunds'))
    .select(shownRefundColumns);
}

/** Reads the timeline in the refund's query, to save a query per refund. */
export function shownRefundColumns(refund: ExpressionBuilder<EngineTables, 'refunds'>) {
  return jsonArrayFrom(
    refund
      .selectFrom('timeline')
      .select([
        'timeline.version',
        'timeline.event',
        'timeline.kind',
        'timeline.from_status',
        'timeline.to_status',
        'timeline.detail',
        'timeline.at',
      ])
      .whereRef('timeline.subject_id', '=', 'refunds.id')
      .where('timeline.is_superseded', '=', false)
      .orderBy('timeline.version'),
  ).as('timeline');
}

/**
 * Finds our payment by ids of the provider.
 *
 * @param resourceIds the first known id decides.
 */
export async function findPaymentIdOf(
  db: Database,
  { environment, application }: Owner,
  resourceIds: readonly string[],
): Promise<string | undefined> {
  if (resourceIds.length === 0) return undefined;
  const known = await db
    .selectFrom('resources')
    .innerJoin('payments', 'payments.id', 'resources.subject_id')
    .select(['resources.resource_id', 'resources.subject_id'])
    .where('resources.environment', '=', environment)
    .where('resources.application', '=', application)
    .where('resources.resource_id', 'in', [...resourceIds])
    .execute();
  const ids = new Map(known.map(({ resource_id, subject_id }) => [resource_id, subject_id]));
  return resourceIds.map((id) => ids.get(id)).find((paymentId) => paymentId !== undefined);
}

const open = refundStatuses.filter((status) => !isRefundTerminal(status));

/**
 * True if a refund of a capture or sale is, or may be, completed although the provider's answer did not include it.
 *
 * @param paymentId our payment: for refunds that were not read yet the capture is unknown.
 */
export async function isRefundUnshown(
  db: Database,
  { environment, application }: Owner,
  { collectedId, paymentId }: { readonly collectedId: string; readonly paymentId: string },
  shown: readonly string[],
): Promise<boolean> {
  const unshown = await db
    .selectFrom('refunds')
    .select('id')
    .where('environment', '=', environment)
    .where('application', '=', application)
    .where('payment_id', '=', paymentId)
    .where((row) => row.or([row('collected_id', '=', collectedId), row('collected_id', 'is', null)]))
    .where('kind', '=', 'refund')
    .where((row) =>
      row.or([
        row('status', 'in', ['completed', ...open]).and('provider_refund_id', 'not in', ['', ...shown]),
        row('status', 'in', open).and('provider_refund_id', 'is', null),
      ]),
    )
    .executeTakeFirst();
  return unshown !== undefined;
}

/** Our own refund that was sent under a reference, if any. */
export async function findRefundIdByReference(
  db: Database,
  { environment, application }: Owner,
  reference: string,
): Promise<string | undefined> {
  const sender = await db
    .selectFrom('attempts')
    .innerJoin('refunds', 'refunds.id', 'attempts.subject_id')
    .select('refunds.id')
    .where('attempts.reference', '=', reference)
    .where('refunds.environment', '=', environment)
    .where('refunds.application', '=', application)
    .executeTakeFirst();
  return sender?.id;
}

/** The refunds of a payment that have an id of the provider's, except one of ours. */
export async function listOtherRefunds(
  db: Database,
  { paymentId, refundId }: { readonly paymentId: string; readonly refundId: string },
): Promise<Pick<RefundRow, 'id' | 'status' | 'provider_refund_id'>[]> {
  return await db
    .selectFrom('refunds')
    .select(['id', 'status', 'provider_refund_id'])
    .where('payment_id', '=', paymentId)
    .where('id', '!=', refundId)
    .where('provider_refund_id', 'is not', null)
    .execute();
}

/** The order service's refund requests for a payment. */
export async function listRequestsOf(db: Database, paymentId: string): Promise<RefundOfPayment[]> {
  return (await refundsOf(db, paymentId)).filter(({ state }) => state.claim.kind === 'request');
}

/** The reported chargebacks of a capture or sale, read or not. */
export async function listReversalsOf(
  db: Database,
  { collectedId, paymentId }: { readonly collectedId: string; readonly paymentId: string },
): Promise<RefundOfPayment[]> {
  return (await refundsOf(db, paymentId)).filter(
    ({ state: { claim, status } }) =>
      claim.kind === 'reversal' && claim.collected.id === collectedId && status !== 'unfounded',
  );
}

type RefundOfPayment = Pick<RefundRow, 'id' | 'state'>;

async function refundsOf(db: Database, paymentId: string): Promise<RefundOfPayment[]> {
  return await db.selectFrom('refunds').select(['id', 'state']).where('payment_id', '=', paymentId).execute();
}
