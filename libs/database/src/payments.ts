import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { PaymentIdentity } from '../../workflows/src/contract/payment.js';
import type { PaymentStatus } from '../../workflows/src/lifecycle/payment/payment.js';
import type { Database } from './database.js';
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

export interface PaymentFilter {
  readonly environment: string;
  readonly application: string;
  readonly status?: PaymentStatus;
  readonly orderId?: string;
  /** Payments older than this id: ids sort by age. */
  readonly before?: string;
  readonly limit: number;
}

/** Newest first, by key and never by offset, so that page 1,000 costs what page 1 costs. */
export async function listPayments(db: Database, filter: PaymentFilter): Promise<PaymentWithRefunds[]> {
  let query = paymentsWithRefunds(db)
    .where('environment', '=', filter.environment)
    .where('application', '=', filter.application);
  if (filter.status) query = query.where('status', '=', filter.status);
  if (filter.orderId !== undefined) query = query.where('order_id', '=', filter.orderId);
  if (filter.before !== undefined) query = query.where('id', '<', filter.before);
  return await query.orderBy('id', 'desc').limit(filter.limit).execute();
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
