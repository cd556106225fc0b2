import { z } from 'zod';
import type { Dialect } from '../dialect.js';
import type { Amount } from '../money.js';
import { type PlanPreferencesRequest, partialPreferences, spellPreferences } from './plan-preferences.js';
import { type AddressRequest, postalAddress } from './postal-address.js';
import { instant, sentValue, sentValueOrZero, onlyIfFieldsAreValid } from './sent.js';

/** A billing agreement (2.6): one payer's subscription to a plan. */
export interface CreateAgreementRequest {
  /** ≤ 128 characters, as is the description. */
  readonly name: string;
  readonly description: string;
  /** ISO 8601 with an offset: when the first cycle is due; in the future. */
  readonly startDate: string;
  /** Of an ACTIVE plan. */
  readonly planId: string;
  readonly shippingAddress?: AddressRequest | undefined;
  /** Preferences that differ from the plan, such as the payer's return address. */
  readonly merchantPreferences?: Partial<PlanPreferencesRequest> | undefined;
}

const text = z.string().min(1).max(128);

export const createAgreementRequest = z.strictObject({
  name: text,
  description: text,
  startDate: instant,
  planId: text,
  shippingAddress: postalAddress.optional(),
  merchantPreferences: partialPreferences.optional(),
});

/** The agreement in the spelling of a dialect. */
export function spellAgreement(dialect: Dialect, request: z.output<typeof createAgreementRequest>): object {
  const { merchantPreferences } = request;
  return {
    name: request.name,
    description: request.description,
    start_date: request.startDate,
    plan: { id: request.planId },
    payer: { payment_method: dialect.walletPaymentMethod },
    shipping_address: request.shippingAddress,
    override_merchant_preferences: merchantPreferences && spellPreferences(dialect, merchantPreferences),
  };
}

export interface UpdateAgreementRequest {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  /** Can change until the first cycle. */
  readonly startDate?: string | undefined;
  readonly shippingAddress?: AddressRequest | undefined;
}

/** A JSON Patch of which only the replacement of the whole is known (provider-facts, "Paths"). */
export const updateAgreementRequest = z
  .strictObject({
    name: text.optional(),
    description: text.optional(),
    startDate: instant.optional(),
    shippingAddress: postalAddress.optional(),
  })
  .refine((changes) => Object.values(changes).some((change) => change !== undefined), 'changes nothing')
  .transform(({ name, description, startDate, shippingAddress }) => [
    {
      op: 'replace',
      path: '/',
      value: { name, description, start_date: startDate, shipping_address: shippingAddress },
    },
  ]);

export interface AgreementNote {
  /** Why, for the provider's records: 1 to 128 characters. */
  readonly note: string;
}

export const agreementNote = z.strictObject({ note: text });

export interface SetBalanceRequest {
  /** What is to stay owed; zero forgives everything. */
  readonly balance: Amount;
}

export const setBalanceRequest = z
  .strictObject({ balance: sentValueOrZero })
  .transform(({ balance }) => balance);

export interface BillBalanceRequest extends AgreementNote {
  /** At most what is outstanding. */
  readonly amount: Amount;
}

export const billBalanceRequest = z.strictObject({ note: text, amount: sentValue });

export interface AgreementTransactionSearch {
  /** Calendar days in UTC (YYYY-MM-DD), both included. */
  readonly startDate: string;
  readonly endDate: string;
}

export const agreementTransactionSearch = z
  .strictObject({ startDate: z.iso.date(), endDate: z.iso.date() })
  .refine(({ startDate, endDate }) => startDate <= endDate, {
    path: ['endDate'],
    message: 'lies before startDate',
    ...onlyIfFieldsAreValid,
  })
  .transform(({ startDate, endDate }) => ({ start_date: startDate, end_date: endDate }));
