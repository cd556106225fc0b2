import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { PaymentIdentity } from '#workflows/contract';
import type { PaymentStatus } from '#workflows/lifecycle/payment';
import type { Database } from '../connection/database.js';
import { type SubjectFilter, subjectsOf } from '../tables/pages.js';
import { type RefundWithStory, storyOfRefund } from './refunds.js';
import type { PaymentRow } from '../schema/schema.js';
import { type Shown, shownVersionOf } from './shown-version.js';

/** A payment, and what went back of it, oldest first. */
export interface PaymentWithRefunds extends Shown<PaymentRow> {
  readonly refunds: readonly RefundWithStory[];
}

export async function findPayment(
  db: Database,
  { environment, application, paymentId }: PaymentIdentity,
): Promise<PaymentWithRefunds | undefined> {
  return await paymentsWithRefunds(db)
    .where('id', '=', paymentId)
    .where('environment', '=', environment)
    .where('application', '=', application)
    .executeTakeFirst();
}

/** For the payer routes, whose address is all that is known: ids are unguessable and unique over all applications. */
export async function findPaymentById(db: Database, paymentId: string): Promise<PaymentRow | undefined> {
  return await db.selectFrom('payments').selectAll().where('id', '=', paymentId).executeTakeFirst();
}

export interface PaymentFilter extends SubjectFilter<PaymentStatus> {
  readonly orderId?: string | undefined;
}

export async function listPayments(db: Database, filter: PaymentFilter): Promise<PaymentWithRefunds[]> {
  const { orderId } = filter;
  const rows = paymentsWithRefunds(db);
  return await subjectsOf(orderId === undefined ? rows : rows.where('order_id', '=', orderId), filter);
}

function paymentsWithRefunds(db: Database) {
  return db
    .selectFrom('payments')
    .selectAll('payments')
    .select(shownVersionOf('payments'))
    .select((payment) =>
      jsonArrayFrom(
        payment
          .selectFrom('refunds')
          .select(['refunds.id', 'refunds.state', 'refunds.version'])
          .select(shownVersionOf('refunds'))
          .select(storyOfRefund)
          .whereRef('refunds.payment_id', '=', 'payments.id')
          .orderBy('refunds.created_at')
          .orderBy('refunds.id'),
      ).as('refunds'),
    );
}
