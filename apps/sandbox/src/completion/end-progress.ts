import type { Transaction } from 'kysely';
import type { PaymentRow, Tables } from '../database/tables.js';

/**
 * Ends a payment's wait for the outcome of its authorization or sale; undefined when it did not wait. Locks the
 * payment, so it comes before any lock of what belongs to the payment.
 */
export function endProgress(
  transaction: Transaction<Tables>,
  paymentId: string,
  state: 'approved' | 'failed',
  now: Date,
): Promise<PaymentRow | undefined> {
  return transaction
    .updateTable('payments')
    .set({ state, updated_at: now })
    .where('id', '=', paymentId)
    .where('state', '=', 'in_progress')
    .returningAll()
    .executeTakeFirst();
}
