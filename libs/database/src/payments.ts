import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { PaymentIdentity } from '../../workflows/src/contract/payment.js';
import type { PaymentStatus } from '../../workflows/src/lifecycle/payment/payment.js';
import type { Database } from './database.js';
import { type SubjectFilter, subjectsOf } from './pages.js';
import type { PaymentRow, RefundRow } from './schema.js';

/** A payment, and what went back of it, oldest first. */
export interface PaymentWithRefunds extends PaymentRow {
  readonly refunds: readonly RefundWithStory[];
}

export interface RefundWithStory extends Pick<RefundRow, 'id' | 'state' | 'version'> {
  readonly timeline: readonly StoryEntry[];
}

/** A line of a story. */
export interface StoryEntry {
  readonly version: number;
  readonly event: string;
  readonly kind: 'moved' | 'refused' | 'conflict';
  readonly from_status: string;
  readonly to_status: string;
  readonly detail: string | null;
  /** ISO 8601 where the database has made JSON of it. */
  readonly at: Date | string;
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
    .select((payment) =>
      jsonArrayFrom(
        payment
          .selectFrom('refunds')
          .select((refund) => [
            'refunds.id',
            'refunds.state',
            'refunds.version',
            jsonArrayFrom(
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
                .orderBy('timeline.version'),
            ).as('timeline'),
          ])
          .whereRef('refunds.payment_id', '=', 'payments.id')
          .orderBy('refunds.created_at')
          .orderBy('refunds.id'),
      ).as('refunds'),
    );
}
