import type { SandboxContext } from '../context/sandbox-context.js';
import type { PaymentRow } from '../database/tables.js';
import { writeAmount } from '../money/amount.js';
import type { Approvable, Approval } from './approvable.js';
import { approvePayment, cancelApproval, findByToken, returnAddress, standingOf } from './approve-payment.js';
import { payeeName } from './payee-name.js';
import { payersFor } from './paying-account.js';

/** How payers approve payments. */
export const paymentApproval: Approvable = {
  path: '/checkout',
  words: {
    name: 'payment',
    question: 'Approve this payment?',
    approved: 'You have approved this payment.',
  },
  find: async (context, token) => {
    const payment = await findByToken(context, token);
    return payment === undefined ? undefined : approvalOf(context, payment);
  },
  approve: approvePayment,
  cancel: cancelApproval,
};

async function approvalOf(context: SandboxContext, payment: PaymentRow): Promise<Approval | undefined> {
  const standing = standingOf(payment, new Date());
  const address = returnAddress(payment);
  if (standing === 'not_for_payer' || address === undefined) return undefined;
  return {
    token: payment.approval_token,
    standing,
    summary: summaryOf(payment, payeeName(context, payment.payee_id)),
    payers: payment.state === 'created' ? await payersFor(context, payment.client_id) : [],
    payerId: payment.payer_id,
    returnAddress: address,
  };
}

function summaryOf(payment: PaymentRow, payee: string): [string, string][] {
  return [
    ['Amount', `${writeAmount(payment.amount_minor, payment.currency)} ${payment.currency}`],
    ...(payment.description === null ? [] : [['For', payment.description] as [string, string]]),
    ['To', payment.payee_email ?? payee],
    ['Kind', payment.intent === 'sale' ? 'Paid at once' : 'Held now, collected later'],
  ];
}
