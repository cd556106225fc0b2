import { sql } from 'kysely';
import type { SubscriptionIdentity } from '../../workflows/src/contract/subscription.js';
import type { Subject } from '../../workflows/src/contract/subject.js';
import type {
  SubscriptionState,
  SubscriptionStatus,
} from '../../workflows/src/lifecycle/subscription/subscription.js';
import { type NewCommand, acceptWith } from './commands.js';
import type { Database } from './database.js';
import { resourceRows } from './resources.js';
import type { CommandRow, SubscriptionPaymentRow, SubscriptionRow } from './schema.js';
import { storableJson } from './storable-text.js';

export interface NewSubscription {
  readonly planId: string;
  readonly name: string;
  readonly description: string;
  readonly returnUrl: string;
  readonly cancelUrl: string;
  readonly state: SubscriptionState;
}

/** Commits the order of a subscription and its row together. */
export async function acceptSubscription(
  db: Database,
  command: NewCommand,
  subscription: NewSubscription,
): Promise<{ readonly row: CommandRow; readonly isNew: boolean }> {
  const row = db.insertInto('subscriptions').values({
    id: command.subjectId,
    environment: command.environment,
    application: command.application,
    plan_id: subscription.planId,
    name: subscription.name,
    description: subscription.description,
    return_url: subscription.returnUrl,
    cancel_url: subscription.cancelUrl,
    status: subscription.state.status,
    state: storableJson(subscription.state),
    version: 0,
  });
  return await acceptWith(db, command, [row]);
}

export async function findSubscription(
  db: Database,
  { environment, application, subscriptionId }: SubscriptionIdentity,
): Promise<SubscriptionRow | undefined> {
  return await db
    .selectFrom('subscriptions')
    .selectAll()
    .where('id', '=', subscriptionId)
    .where('environment', '=', environment)
    .where('application', '=', application)
    .executeTakeFirst();
}

/** For the payer routes, whose address is all that is known: ids are unguessable and unique over all applications. */
export async function findSubscriptionById(
  db: Database,
  subscriptionId: string,
): Promise<SubscriptionRow | undefined> {
  return await db.selectFrom('subscriptions').selectAll().where('id', '=', subscriptionId).executeTakeFirst();
}

export interface SubscriptionFilter {
  readonly environment: string;
  readonly application: string;
  readonly status?: SubscriptionStatus;
  readonly planId?: string;
  /** Subscriptions older than this id: ids sort by age. */
  readonly before?: string;
  readonly limit: number;
}

/** Newest first, by key and never by offset. */
export async function listSubscriptions(
  db: Database,
  filter: SubscriptionFilter,
): Promise<SubscriptionRow[]> {
  let query = db
    .selectFrom('subscriptions')
    .selectAll()
    .where('environment', '=', filter.environment)
    .where('application', '=', filter.application);
  if (filter.status) query = query.where('status', '=', filter.status);
  if (filter.planId !== undefined) query = query.where('plan_id', '=', filter.planId);
  if (filter.before !== undefined) query = query.where('id', '<', filter.before);
  return await query.orderBy('id', 'desc').limit(filter.limit).execute();
}

/** Payments as the provider lists them; amounts in minor units. */
export type ShownPayment = Pick<
  SubscriptionPaymentRow,
  'transaction_id' | 'at' | 'status' | 'minor' | 'currency'
>;

/**
 * Brings the book of a subscription's payments to what the provider shows. Their sales become its own, so that what is
 * told of them (a refund, a reversal) finds it.
 *
 * @param saleIds ids of payments that moved money.
 */
export async function savePayments(
  db: Database,
  subject: Subject,
  payments: readonly ShownPayment[],
  saleIds: readonly string[],
): Promise<void> {
  if (payments.length === 0) return;
  await db.transaction().execute(async (trx) => {
    await trx
      .insertInto('subscription_payments')
      .values(payments.map((payment) => ({ subscription_id: subject.id, ...payment })))
      .onConflict((conflict) =>
        conflict
          .columns(['subscription_id', 'at', 'transaction_id'])
          .doUpdateSet((row) => ({ status: row.ref('excluded.status'), minor: row.ref('excluded.minor') })),
      )
      .execute();
    const sales = [...new Set(saleIds)].map((id) => ({ id, kind: 'sale' }));
    if (sales.length > 0) await resourceRows(subject, sales).execute(trx);
  });
}

/** Oldest first. */
export async function listPayments(
  db: Database,
  subscriptionId: string,
  { after, limit }: { readonly after?: Date; readonly limit: number },
): Promise<SubscriptionPaymentRow[]> {
  let query = db
    .selectFrom('subscription_payments')
    .selectAll()
    .where('subscription_id', '=', subscriptionId);
  if (after) query = query.where('at', '>', after);
  return await query.orderBy('at').orderBy('transaction_id').limit(limit).execute();
}

/** What a subscription has collected by now, in minor units: payments that are completed, whatever went back since. */
export async function sumOfPayments(db: Database, subscriptionId: string): Promise<number> {
  const { collected } = await db
    .selectFrom('subscription_payments')
    .select(sql<number>`coalesce(sum(minor), 0)::bigint`.as('collected'))
    .where('subscription_id', '=', subscriptionId)
    .where(sql<boolean>`lower(status) in ('completed', 'partially_refunded', 'refunded')`)
    .executeTakeFirstOrThrow();
  return collected;
}
