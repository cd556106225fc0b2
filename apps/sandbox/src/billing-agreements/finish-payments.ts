import { carryOut } from '../clock/carry-out.js';
import type { Found } from '../clock/recurring-task.js';
import type { SandboxContext } from '../context/sandbox-context.js';
import { lockAgreement, saveStanding } from './agreement-rows.js';
import { afterCompletion } from './agreement-standing.js';
import { recordFailure } from './collect-payment.js';
import { recordEndOfBilling } from './agreement-events.js';

/** Applies the ends of pending payments to their agreements. */
export function finishPayments(context: SandboxContext): Promise<Found> {
  // Only the oldest one of each agreement, because consecutive failures count.
  const finished = context.database
    .selectFrom('agreement_transactions as payment')
    .innerJoin('sales', 'sales.id', 'payment.sale_id')
    .select(['payment.id', 'payment.agreement_id', 'sales.state', 'payment.created_at as due_at'])
    .where('payment.status', '=', 'pending')
    .where('sales.state', '<>', 'pending')
    .distinctOn('payment.agreement_id')
    .orderBy('payment.agreement_id')
    .orderBy('payment.id');
  const oldest = context.database.selectFrom(finished.as('payment')).selectAll();
  // A sale that was completed may have been refunded before this ran.
  return carryOut(
    context,
    () => oldest,
    ({ id, agreement_id, state }) =>
      finish(context, id, agreement_id, state === 'denied' ? 'failed' : 'completed'),
  );
}

function finish(
  context: SandboxContext,
  transactionId: number,
  agreementId: string,
  outcome: 'completed' | 'failed',
): Promise<void> {
  return context.database.transaction().execute(async (transaction) => {
    const agreement = await lockAgreement(transaction, agreementId);
    const now = new Date();
    // Only a payment that is still pending under the agreement's lock: none is counted twice.
    const payment = await transaction
      .updateTable('agreement_transactions')
      .set({ status: outcome })
      .where('id', '=', transactionId)
      .where('status', '=', 'pending')
      .returning('amount_minor')
      .executeTakeFirst();
    if (agreement === undefined || payment === undefined) return;
    const standing = afterCompletion(agreement, payment.amount_minor, outcome, now);
    const updated = await saveStanding(transaction, agreement, standing, now);
    if (outcome === 'failed') await recordFailure(context, { transaction, now, requestId: null }, updated);
    await recordEndOfBilling(transaction, agreement.state, updated, context.links, now);
  });
}
