import { z } from 'zod';
import { identifier, orAbsent, withoutReadOnly } from '../http/validation.js';
import { amountSchema } from '../money/amount-schema.js';
import { checkItems, cutText, itemListSchema } from './item-list-schema.js';

/** One account, named by its e-mail address, its id, or both. */
const payee = z
  .strictObject({ email: z.email().max(127).optional(), merchant_id: identifier.optional() })
  .refine(({ email, merchant_id }) => email !== undefined || merchant_id !== undefined, {
    path: ['email'],
    message: 'Required field is missing',
  });

const paymentOptions = z.strictObject({
  allowed_payment_method: orAbsent(z.enum(['UNRESTRICTED', 'INSTANT_FUNDING_SOURCE', 'IMMEDIATE_PAY'])),
  recurring_flag: z.boolean().optional(),
  skip_fmf: z.boolean().optional(),
});

const transactionFields = z
  .strictObject({
    amount: amountSchema,
    payee: payee.optional(),
    description: z.string().max(127).optional(),
    custom: z.string().max(127).optional(),
    invoice_number: z.string().max(127).optional(),
    reference_id: z.string().max(256).optional(),
    note_to_payee: z.string().max(255).optional(),
    soft_descriptor: cutText(22).optional(),
    payment_options: paymentOptions.optional(),
    item_list: itemListSchema.optional(),
    notify_url: z.url().max(2048).optional(),
    order_url: z.url().max(2048).optional(),
  })
  .transform((transaction, refinement) => {
    if (transaction.item_list === undefined) return transaction;
    const checkedItems = checkItems(transaction.item_list, transaction.amount);
    if ('list' in checkedItems) return { ...transaction, item_list: checkedItems.list };
    refinement.addIssue({ code: 'custom', ...checkedItems });
    return z.NEVER;
  });

/** What only this service has is not asked for. */
export const transactionSchema = withoutReadOnly(['related_resources', 'links'], transactionFields);

export type TransactionRequest = z.output<typeof transactionSchema>;

/** The columns of a payment's row for its transaction, except its payee. */
export function columnsOf(transaction: TransactionRequest) {
  const { amount, payee: _payee, description, invoice_number, custom, ...echoed } = transaction;
  return {
    amount_minor: amount.minor,
    currency: amount.currency,
    amount_details: JSON.stringify(amount.details),
    description: description ?? null,
    invoice_number: invoice_number ?? null,
    custom: custom ?? null,
    echoed,
  };
}
