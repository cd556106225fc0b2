import { z } from 'zod';
import { amountSchema } from './amount-schema.js';

/** Words for a payment out of the payer's wallet; the interface leaves the word open. */
const WALLET_METHODS = ['wallet', 'paypal', 'wallet_method', '<wallet_method>'] as const;

const webAddress = z.url({ protocol: /^https?$/ }).max(2048);
const loose = z.record(z.string(), z.unknown());

const payer = z.strictObject({ payment_method: z.enum(WALLET_METHODS), payer_info: loose.optional() });

const transaction = z.strictObject({
  amount: amountSchema,
  payee: z.strictObject({ email: z.email().max(127) }).optional(),
  description: z.string().max(127).optional(),
  custom: z.string().max(127).optional(),
  invoice_number: z.string().max(127).optional(),
  reference_id: z.string().max(256).optional(),
  note_to_payee: z.string().max(255).optional(),
  soft_descriptor: z.string().max(22).optional(),
  payment_options: loose.optional(),
  item_list: loose.optional(),
  notify_url: z.string().max(2048).optional(),
  order_url: z.string().max(2048).optional(),
});

/** Section 2.1 of the interface, plus the public API's fields that change nothing here and are given back. */
export const paymentRequest = z.strictObject({
  intent: z.enum(['sale', 'authorize']),
  payer,
  transactions: z.tuple([transaction]),
  redirect_urls: z.strictObject({ return_url: webAddress, cancel_url: webAddress }).optional(),
  note_to_payer: z.string().max(165).optional(),
  experience_profile_id: z.string().max(127).optional(),
  application_context: loose.optional(),
});

export type PaymentRequest = z.output<typeof paymentRequest>;

/** `transactions` may repeat what was approved; an amount the payer did not see is refused. */
export const executeRequest = z.strictObject({
  payer_id: z.string().min(1).max(64),
  transactions: z.tuple([z.looseObject({ amount: amountSchema.optional() })]).optional(),
});

const page = z.coerce.number().int();
const instant = z.iso.datetime({ offset: true }).transform((text) => new Date(text));
const id = z.string().regex(/^[A-Za-z0-9-]{1,64}$/);

export const paymentListQuery = z.object({
  count: page.min(1).max(20).default(10),
  start_id: id.optional(),
  start_index: page.min(0).max(1_000_000).optional(),
  start_time: instant.optional(),
  end_time: instant.optional(),
  payee_id: id.optional(),
  sort_by: z.literal('create_time').default('create_time'),
  sort_order: z.enum(['asc', 'desc']).default('desc'),
});

export type PaymentListQuery = z.output<typeof paymentListQuery>;
