import { z } from 'zod';
import {
  countryCode,
  identifier,
  instant,
  orAbsent,
  orDefault,
  withoutReadOnly,
} from '../http/validation.js';
import { amountSchema } from '../money/amount-schema.js';
import { addressSchema, shippingAddressSchema } from './address-schema.js';
import { cardSchema } from './card-schema.js';
import { transactionSchema } from './transaction-schema.js';
import { withoutNulls } from '../http/without-nulls.js';

/** Words for a payment from the payer's wallet; the interface does not fix the word. */
export const WALLET_METHODS = ['wallet', 'paypal', 'wallet_method', '<wallet_method>'] as const;

const CARD_METHOD = 'credit_card';

/** The public API's other ones. The payer approves them like a wallet payment, and only the owner can be paid. */
const OTHER_METHODS = ['bank', 'pay_upon_invoice', 'carrier', 'alternate_payment'] as const;

export const webAddress = z.url({ protocol: /^https?$/ }).max(2048);

export const payerInfoSchema = z.strictObject({
  email: z.email().max(127).optional(),
  salutation: z.string().max(140).optional(),
  first_name: z.string().max(140).optional(),
  middle_name: z.string().max(140).optional(),
  last_name: z.string().max(140).optional(),
  suffix: z.string().max(140).optional(),
  payer_id: z.string().max(64).optional(),
  phone: z.string().max(50).optional(),
  phone_type: orAbsent(z.enum(['HOME', 'WORK', 'MOBILE', 'OTHER'])),
  birth_date: z.string().max(64).optional(),
  tax_id: z.string().max(14).optional(),
  tax_id_type: orAbsent(z.enum(['BR_CPF', 'BR_CNPJ'])),
  country_code: orAbsent(countryCode),
  billing_address: addressSchema.optional(),
  shipping_address: shippingAddressSchema.optional(),
});

const fundingInstrument = z
  .strictObject({ credit_card: cardSchema.optional(), credit_card_token: z.looseObject({}).optional() })
  .transform(({ credit_card, credit_card_token }, refinement) => {
    // This service stores no cards, so no token can name one.
    if (credit_card_token !== undefined) {
      const path = ['credit_card_token', 'credit_card_id'];
      refinement.addIssue({ code: 'custom', path, message: 'No such stored card' });
      return z.NEVER;
    }
    if (credit_card !== undefined) return { credit_card };
    refinement.addIssue({ code: 'custom', path: ['credit_card'], message: 'Required field is missing' });
    return z.NEVER;
  });

const payerFields = z
  .strictObject({
    payment_method: z.enum([...WALLET_METHODS, CARD_METHOD, ...OTHER_METHODS]),
    payer_info: payerInfoSchema.optional(),
    funding_instruments: z.tuple([fundingInstrument]).optional(),
    external_selected_funding_instrument_type: orAbsent(z.enum(['CREDIT', 'PAY_UPON_INVOICE'])),
  })
  .superRefine(({ payment_method, funding_instruments }, refinement) => {
    const refuse = (message: string) =>
      refinement.addIssue({ code: 'custom', path: ['funding_instruments'], message });
    const isCard = payment_method === CARD_METHOD;
    if (isCard && funding_instruments === undefined) refuse('Required for the payment method credit_card');
    if (!isCard && funding_instruments !== undefined) refuse('Only for the payment method credit_card');
  });

const payer = withoutReadOnly(['status'], payerFields);

const applicationContext = z.strictObject({
  brand_name: z.string().max(127).optional(),
  locale: z.string().max(10).optional(),
  landing_page: z.string().max(20).optional(),
  shipping_preference: orAbsent(z.enum(['NO_SHIPPING', 'GET_FROM_FILE', 'SET_PROVIDED_ADDRESS'])),
  user_action: z.string().max(20).optional(),
  preferred_payment_source: z
    .strictObject({
      token: z.strictObject({ id: z.string().min(1).max(255), type: z.enum(['BILLING_AGREEMENT']) }),
    })
    .optional(),
  payment_pattern: orAbsent(
    z.enum([
      'CUSTOMER_PRESENT_ONETIME_PURCHASE',
      'CUSTOMER_NOT_PRESENT_RECURRING',
      'CUSTOMER_PRESENT_RECURRING_FIRST',
      'CUSTOMER_PRESENT_ONETIME_PURCHASE_VAULTED',
      'CUSTOMER_NOT_PRESENT_ONETIME_PURCHASE_VAULTED',
      'MAIL_ORDER_TELEPHONE_ORDER',
    ]),
  ),
});

const paymentFields = z
  .strictObject({
    intent: z.enum(['sale', 'authorize']),
    payer,
    // Counted first: a tuple takes a missing element that a preprocess could make.
    transactions: z
      .array(z.unknown())
      .length(1, { abort: true })
      .pipe(z.tuple([transactionSchema])),
    redirect_urls: z.strictObject({ return_url: webAddress, cancel_url: webAddress }).optional(),
    note_to_payer: z.string().max(165).optional(),
    experience_profile_id: z.string().max(127).optional(),
    application_context: applicationContext.optional(),
  })
  .superRefine((payment, refinement) => {
    const [transaction] = payment.transactions;
    const refuse = (path: (string | number)[], message: string) =>
      refinement.addIssue({ code: 'custom', path, message });
    // Interface, section 1: the payee feature applies to wallet and card payments only.
    if (transaction.payee !== undefined && isOtherMethod(payment.payer.payment_method)) {
      refuse(['transactions', 0, 'payee'], 'A payee is possible with wallet and card payments only');
    }
    if (
      payment.application_context?.shipping_preference === 'SET_PROVIDED_ADDRESS' &&
      transaction.item_list?.shipping_address === undefined
    ) {
      refuse(['application_context', 'shipping_preference'], 'The request provides no shipping address');
    }
  });

/** Fields of a payment that only this service has. */
const READ_ONLY = ['id', 'state', 'failure_reason', 'create_time', 'update_time', 'links'];

/** Section 2.1 of the interface, plus every field that a client of the public API may send. */
export const paymentRequest = z.preprocess(withoutNulls, withoutReadOnly(READ_ONLY, paymentFields));

function isOtherMethod(method: string): boolean {
  return (OTHER_METHODS as readonly string[]).includes(method);
}

export type PaymentRequest = z.output<typeof paymentRequest>;

/** `transactions` may repeat what was approved; an amount that the payer did not see is refused. */
export const executeRequest = z.preprocess(
  withoutNulls,
  z.object({
    payer_id: z.string().min(1).max(64),
    transactions: z.tuple([z.looseObject({ amount: amountSchema.optional() })]).optional(),
  }),
);

const page = z.coerce.number().int();

export const paymentListQuery = z
  .strictObject({
    count: orDefault(page.min(1).max(20).default(10)),
    start_id: identifier.optional(),
    start_index: orAbsent(page.min(0).max(1_000_000)),
    start_time: instant.optional(),
    end_time: instant.optional(),
    payee_id: identifier.optional(),
    sort_by: orDefault(z.literal('create_time').default('create_time')),
    sort_order: orDefault(z.enum(['asc', 'desc']).default('desc')),
  })
  .refine(
    ({ start_time, end_time }) =>
      start_time === undefined || end_time === undefined || start_time <= end_time,
    { path: ['end_time'], message: 'Is before the start time' },
  );

export type PaymentListQuery = z.output<typeof paymentListQuery>;
