import { z } from 'zod';
import { money, preferenceChanges } from '../billing-plans/plan-request.js';
import { instant, readOnly } from '../http/validation.js';
import { shippingAddressSchema } from '../payments/address-schema.js';
import { WALLET_METHODS } from '../payments/payment-request.js';
import { withoutNulls } from '../http/without-nulls.js';

const loose = z.record(z.string(), z.unknown());
const shippingAddress = shippingAddressSchema.transform(
  (address) =>
    Object.fromEntries(Object.entries(address).filter(([, value]) => value !== undefined)) as Record<
      string,
      string
    >,
);

const payer = z.strictObject({
  payment_method: z.enum(WALLET_METHODS),
  status: readOnly,
  payer_info: loose.optional(),
});

const text = z.string().min(1).max(128);

/** Fields of an agreement that only this service has. */
const readOnlyFields = {
  id: readOnly,
  state: readOnly,
  agreement_details: readOnly,
  create_time: readOnly,
  update_time: readOnly,
  links: readOnly,
};

const agreementFields = z.strictObject({
  ...readOnlyFields,
  name: text,
  description: text,
  start_date: instant,
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

/** Section 2.6 of the interface, with the fields of the plan that the public API lets an agreement override. */
export const agreementRequest = z.preprocess(withoutNulls, agreementFields);

export type AgreementRequest = z.output<typeof agreementRequest>;

const agreementChanges = z.strictObject({
  ...readOnlyFields,
  plan: readOnly,
  name: text.optional(),
  description: text.optional(),
  start_date: instant.optional(),
  payer: payer.optional(),
  shipping_address: shippingAddress.optional(),
});

export type AgreementChanges = z.output<typeof agreementChanges>;

const agreementPatch = z.strictObject({
  op: z.literal('replace'),
  path: z.literal('/'),
  value: agreementChanges,
});

/** A JSON Patch that may only replace the whole agreement. */
export const agreementPatches = z.preprocess(withoutNulls, z.array(agreementPatch).min(1).max(10));

const note = z.string().max(128);

const stateChange = z.object({ note: note.optional(), amount: money.optional() });

/** Why a state is changed; the public API's amount is accepted and changes nothing. */
export const stateChangeRequest = z.preprocess(withoutNulls, stateChange);

export const balanceRequest = z.preprocess(withoutNulls, money);

const billBalance = z.object({ note: note.optional(), amount: money });

export const billBalanceRequest = z.preprocess(withoutNulls, billBalance);

/** Clients of the public API send nothing, or the agreement. */
export const executeRequest = z.object({});

const day = z.iso.date();

/** Both days are included, in UTC. */
export const transactionQuery = z
  .strictObject({ start_date: day, end_date: day })
  .refine((range) => range.start_date <= range.end_date, {
    path: ['end_date'],
    message: 'Is before start_date',
  });

export type TransactionQuery = z.output<typeof transactionQuery>;
