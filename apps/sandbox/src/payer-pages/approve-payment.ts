import type { SandboxContext } from '../context/sandbox-context.js';
import type { PaymentRow } from '../database/tables.js';
import { recordEvent } from '../events/record-event.js';
import { approvedBy } from '../payments/approval-decision.js';
import { describePayment, NOTHING_RELATED } from '../payments/payment-representation.js';
import { withQuery } from './address.js';
import type { PayerStanding } from './approvable.js';
import { payingAccount } from './paying-account.js';

/** What the payer can do with a payment now. */
export function standingOf(payment: PaymentRow, now: Date): PayerStanding | 'not_for_payer' {
  if (payment.return_url === null || payment.cancel_url === null) return 'not_for_payer';
  if (payment.payer_approved_at !== null) return 'approved';
  return payment.state === 'failed' || payment.expires_at <= now ? 'expired' : 'waiting';
}

export function findByToken(context: SandboxContext, token: string): Promise<PaymentRow | undefined> {
  return context.database
    .selectFrom('payments')
    .selectAll()
    .where('approval_token', '=', token)
    .executeTakeFirst();
}

/**
 * The payer approves and names the account that pays: one event, however often the form is sent. Until the payment is
 * executed the payer may come back and choose another account, which is necessary after declined funding. Returns the
 * redirect address, or undefined when there is nothing left to approve.
 * @throws ApiError VALIDATION_ERROR when the environment of the payment has no such personal account.
 */
export async function approvePayment(
  context: SandboxContext,
  token: string,
  accountId?: string,
): Promise<string | undefined> {
  const found = await findByToken(context, token);
  if (found === undefined) return undefined;
  const payer = await payingAccount(context, found.client_id, accountId);

  const payment = await context.database.transaction().execute(async (transaction) => {
    const now = new Date();
    const approved = await transaction
      .updateTable('payments')
      .set({ ...approvedBy(payer, now), updated_at: now })
      .where('approval_token', '=', token)
      .where('state', '=', 'created')
      .where((where) => where.or([where('payer_approved_at', 'is', null), where('payer_id', '<>', payer.id)]))
      .where('expires_at', '>', now)
      .returningAll()
      .executeTakeFirst();
    if (approved === undefined) return undefined;
    await recordEvent(transaction, {
      type: 'PAYMENTS.PAYMENT.CREATED',
      clientId: approved.client_id,
      resourceId: approved.id,
      resource: describePayment(approved, NOTHING_RELATED, context.links, now),
      now,
    });
    return approved;
  });
  if (payment !== undefined) context.wakeTasks();
  const current = payment ?? (await findByToken(context, token));
  return current !== undefined && standingOf(current, new Date()) === 'approved'
    ? returnAddress(current)
    : undefined;
}

/**
 * The payer cancels. The payment does not change: the payer may come back to it until it expires. Returns the redirect
 * address, or undefined when there is nothing left to cancel.
 */
export async function cancelApproval(context: SandboxContext, token: string): Promise<string | undefined> {
  const payment = await findByToken(context, token);
  if (payment === undefined || payment.cancel_url === null) return undefined;
  if (standingOf(payment, new Date()) !== 'waiting') return undefined;
  return withQuery(payment.cancel_url, { token });
}

/** Undefined for a payment that has no return address. */
export function returnAddress(payment: PaymentRow): string | undefined {
  if (payment.return_url === null) return undefined;
  const { id: paymentId, approval_token: token, payer_id: PayerID } = payment;
  return withQuery(payment.return_url, { paymentId, token, PayerID: PayerID ?? '' });
}
