import { sql } from 'kysely';
import type { Subject } from '#workflows/contract';
import {
  type SubscriptionPaymentStatus,
  collectedStatuses,
  paymentStatusOf,
  showsLessReturned,
  statusBeside,
} from '#workflows/lifecycle/subscription';
import type { Database, DatabaseTransaction } from '../connection/database.js';
import { subscriptionPaymentNews } from '../notifications/subscription-news.js';
import { insertNotifications } from '../notifications/insert-notifications.js';
import { addResources } from '../transitions/resources.js';
import type { SubscriptionPaymentRow } from '../schema/schema.js';

/** A payment as the provider lists it; the amount in minor units. */
export interface ShownPayment {
  /**
   * The id of its sale; the agreement's id if no money moved (a failed payment or a free cycle), with `.2` and so on for
   * further ones of the same instant.
   */
  readonly transactionId: string;
  readonly isSale: boolean;
  readonly at: Date;
  readonly status: SubscriptionPaymentStatus;
  readonly minor: number;
}

/** A payment that is new or has another status than its row. */
interface Change extends ShownPayment {
  readonly before: SubscriptionPaymentStatus | undefined;
}

/** The recorded payments after a read was written. */
export interface SavedPayments {
  readonly changes: readonly Change[];
  /** Whether anything was ever collected. */
  readonly hasPaid: boolean;
  readonly oldestPendingAt?: number;
  /** It showed less given back than the rows, which stand: a later read shows whether it lagged. */
  readonly mayLag?: true;
}

/** The payments of a subscription, as a read shows them. */
export interface PaymentsRead {
  /** When the read began, by a clock that all readers share. */
  readonly readAt: Date;
  readonly payments: readonly ShownPayment[];
  /** How far the provider's reads may lag; default: not at all. */
  readonly lagMs?: number;
}

/**
 * Updates the recorded payments of a subscription to what the provider shows; of two answers the later requested one
 * counts. Registers their sales as resources of the subscription, so that events about them (refunds, reversals) find
 * it.
 *
 * @param trx the transaction of the transition.
 */
export async function savePayments(
  trx: DatabaseTransaction,
  subject: Subject,
  currency: string,
  { payments: listed, readAt, lagMs = 0 }: PaymentsRead,
): Promise<SavedPayments> {
  // A statement writes a row once only.
  const distinct = [...new Map(listed.map((payment) => [paymentKey(payment), payment])).values()];
  // Locks the subject's row first, then its resources, in the same order as a transition.
  await trx.selectFrom('subscriptions').select('id').where('id', '=', subject.id).forUpdate().execute();
  const book = await bookOf(trx, subject.id, distinct);
  // The row keeps the instant of the read that has shown more.
  const shown = distinct.filter((payment) => {
    const known = book.get(paymentKey(payment));
    const after = known ? readAt.getTime() - known.readAt.getTime() : lagMs;
    const mayLag = known !== undefined && after >= 0 && after < lagMs;
    return !mayLag || !showsLessReturned(known.status, payment.status);
  });
  const payments = shown.map((payment) => {
    const known = book.get(paymentKey(payment))?.status;
    return { ...payment, status: statusBeside(known, payment.status) };
  });
  const changes = payments
    .map((payment) => ({ payment, known: book.get(paymentKey(payment)) }))
    .filter(({ payment, known }) => !known || (known.readAt <= readAt && known.status !== payment.status))
    .map(({ payment, known }) => ({ ...payment, before: known?.status }));
  if (payments.length > 0) await upsert(trx, subject, currency, { payments, readAt });
  await insertNotifications(
    trx,
    subject,
    changes.flatMap((change) => subscriptionPaymentNews(paymentKey(change), change.status, change.before)),
  );
  const mayLag = shown.length < distinct.length;
  return { changes, ...(await summaryOf(trx, subject.id)), ...(mayLag && { mayLag }) };
}

/** The key of a payment. The id alone is not enough: a failed payment has the agreement's id. */
export function paymentKey({ at, transactionId }: Pick<ShownPayment, 'at' | 'transactionId'>): string {
  return `${at.getTime()} ${transactionId}`;
}

interface Known {
  readonly status: SubscriptionPaymentStatus;
  readonly readAt: Date;
}

async function bookOf(
  trx: DatabaseTransaction,
  subscriptionId: string,
  payments: readonly ShownPayment[],
): Promise<ReadonlyMap<string, Known>> {
  const rows = await trx
    .selectFrom('subscription_payments')
    .select(['at', 'transaction_id as transactionId', 'status', 'read_at as readAt'])
    .where('subscription_id', '=', subscriptionId)
    .where(sql<boolean>`at = any(${payments.map(({ at }) => at)}::timestamptz[])`)
    .execute();
  return new Map(
    rows.map((row) => [paymentKey(row), { status: paymentStatusOf(row.status), readAt: row.readAt }]),
  );
}

async function upsert(
  trx: DatabaseTransaction,
  subject: Subject,
  currency: string,
  { payments, readAt }: PaymentsRead,
): Promise<void> {
  const rows = payments.map(({ transactionId, at, status, minor }) => ({
    subscription_id: subject.id,
    transaction_id: transactionId,
    at,
    status,
    minor,
    currency,
    read_at: readAt,
  }));
  await trx
    .insertInto('subscription_payments')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['subscription_id', 'at', 'transaction_id'])
        .doUpdateSet((row) => ({
          status: row.ref('excluded.status'),
          minor: row.ref('excluded.minor'),
          read_at: row.ref('excluded.read_at'),
        }))
        .whereRef('subscription_payments.read_at', '<=', 'excluded.read_at'),
    )
    .execute();
  const sales = new Set(payments.flatMap(({ transactionId, isSale }) => (isSale ? [transactionId] : [])));
  const resources = [...sales].map((id) => ({ id, kind: 'sale' }));
  await addResources(trx, subject, resources);
}

/**
 * Oldest first.
 *
 * @param limit payments at the same instant as the last one come, too: the next page begins after that instant.
 */
export async function listSubscriptionPayments(
  db: Database,
  subscriptionId: string,
  { after, limit }: { readonly after?: Date | undefined; readonly limit?: number },
): Promise<SubscriptionPaymentRow[]> {
  let page = db
    .selectFrom('subscription_payments')
    .selectAll()
    .where('subscription_id', '=', subscriptionId)
    .orderBy('at');
  if (after) page = page.where('at', '>', after);
  if (limit !== undefined) page = page.fetch(limit, 'with ties');
  return await db.selectFrom(page.as('page')).selectAll().orderBy('at').orderBy('transaction_id').execute();
}

/** The subjects of the provider's resources that are on record, by the resources' ids. */
export async function findSubjectsOfResources(
  db: Database,
  { environment, application }: Pick<Subject, 'environment' | 'application'>,
  resourceIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (resourceIds.length === 0) return new Map();
  const known = await db
    .selectFrom('resources')
    .select(['resource_id', 'subject_id'])
    .where('environment', '=', environment)
    .where('application', '=', application)
    .where(sql<boolean>`resource_id = any(${resourceIds}::text[])`)
    .execute();
  return new Map(known.map(({ resource_id, subject_id }) => [resource_id, subject_id]));
}

/** The sum of a subscription's completed payments in minor units, before refunds. */
export async function sumOfPayments(db: Database, subscriptionId: string): Promise<number> {
  const { collected } = await db
    .selectFrom('subscription_payments')
    .select(sql<number>`coalesce(sum(minor), 0)::bigint`.as('collected'))
    .where('subscription_id', '=', subscriptionId)
    .where(isCollected)
    .executeTakeFirstOrThrow();
  return collected;
}

/** Old rows have the provider's spelling of the status. */
const isCollected = sql<boolean>`lower(status) = any(${collectedStatuses}::text[])`;

async function summaryOf(
  db: Database,
  subscriptionId: string,
): Promise<Pick<SavedPayments, 'hasPaid' | 'oldestPendingAt'>> {
  const { hasPaid, oldestPending } = await db
    .selectFrom('subscription_payments')
    .select([
      sql<boolean>`coalesce(bool_or(${isCollected}), false)`.as('hasPaid'),
      sql<Date | null>`min(at) filter (where lower(status) = 'pending')`.as('oldestPending'),
    ])
    .where('subscription_id', '=', subscriptionId)
    .executeTakeFirstOrThrow();
  return { hasPaid, ...(oldestPending && { oldestPendingAt: oldestPending.getTime() }) };
}
