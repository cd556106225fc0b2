import { z } from 'zod';
import { money, preferenceChanges } from '../billing-plans/plan-request.js';
import { WALLET_METHODS } from '../payments/payment-request.js';

/** What a client reads in an answer and may send back as it is: accepted, without effect. */
const readOnly = z.unknown().optional();
const loose = z.record(z.string(), z.unknown());
const line = z.string().max(300);

const shippingAddress = z
  .strictObject({
    recipient_name: line.optional(),
    line1: line.min(1),
    line2: line.optional(),
    city: line.min(1),
    state: line.optional(),
    postal_code: z.string().max(60).optional(),
    country_code: z.string().regex(/^[A-Z]{2}$/, 'Must be a two-letter country code'),
    phone: z.string().max(50).optional(),
    type: z.string().max(50).optional(),
  })
  // Absent fields stay absent: the address is answered as it was sent.
  .transform(
    (address) =>
      Object.fromEntries(Object.entries(address).filter(([, value]) => value !== undefined)) as Record<
        string,
        string
      >,
  );

const payer = z.strictObject({
  payment_method: z.enum(WALLET_METHODS),
  payer_info: loose.optional(),
});

const startDate = z.iso.datetime({ offset: true }).transform((text) => new Date(text));
const text = z.string().min(1).max(128);

/** Section 2.6 of the interface, with what the public API lets an agreement say otherwise than its plan. */
export const agreementRequest = z.strictObject({
  id: readOnly,
  state: readOnly,
  agreement_details: readOnly,
  create_time: readOnly,
  update_time: readOnly,
  links: readOnly,
  name: text,
  description: text,
  start_date: startDate,
  /** Only its id counts; a client may send the plan as it read it. */
  plan: z.object({ id: z.string().min(1).max(128) }),
  payer,
  shipping_address: shippingAddress.optional(),
  override_merchant_preferences: preferenceChanges.optional(),
  override_charge_models: z
    .array(z.strictObject({ charge_id: z.string().min(1).max(128), amount: money }))
    .max(4)
    .optional(),
});

export type AgreementRequest = z.output<typeof agreementRequest>;

const agreementChanges = z.strictObject({
  name: text.optional(),
  description: text.optional(),
  start_date: startDate.optional(),
  payer: payer.optional(),
  shipping_address: shippingAddress.optional(),
});

export type AgreementChanges = z.output<typeof agreementChanges>;

/** A JSON Patch of which only the replacement of the whole is known. */
export const agreementPatches = z
  .array(z.strictObject({ op: z.literal('replace'), path: z.literal('/'), value: agreementChanges }))
  .min(1)
  .max(10);

const note = z.string().max(128);

/** Why a state is changed; the amount is the public API's and changes nothing. */
export const stateChangeRequest = z.strictObject({ note: note.optional(), amount: money.optional() });

export const balanceRequest = money;

export const billBalanceRequest = z.strictObject({ note: note.optional(), amount: money });

export const executeRequest = z.strictObject({});

const day = z.iso.date();

/** Both days are part of the range, in UTC. */
export const transactionQuery = z
  .object({ start_date: day, end_date: day })
  .refine((range) => range.start_date <= range.end_date, {
    path: ['end_date'],
    message: 'Lies before start_date',
  });

export type TransactionQuery = z.output<typeof transactionQuery>;
