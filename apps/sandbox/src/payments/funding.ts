import type { PaymentRow } from '../database/tables.js';
import { ApiError } from '../http/api-error.js';
import type { UnitOfWork } from '../http/idempotency.js';

/**
 * Asks the funding source of the payer’s account, before anything moves.
 * @throws ApiError INSTRUMENT_DECLINED when it, or a fault in its place, says no; the payment stays as it was.
 */
export async function refuseWhereFundingDeclines(
  unit: UnitOfWork,
  payment: Pick<PaymentRow, 'payer_id' | 'payment_method'>,
): Promise<void> {
  if (unit.outcome?.kind === 'decline') throw new ApiError('INSTRUMENT_DECLINED');
  if (payment.payer_id === null || payment.payment_method === 'credit_card') return;
  const account = await unit.transaction
    .selectFrom('accounts')
    .select('funding_declines')
    .where('id', '=', payment.payer_id)
    .executeTakeFirst();
  if (account?.funding_declines === true) throw new ApiError('INSTRUMENT_DECLINED');
}
