import { z } from 'zod';
import type { Amount } from '../money.js';
import { links } from './link.js';
import {
  countOf,
  instantOf,
  type Open,
  optionalAmount,
  optionalCount,
  optionalInstant,
  optionalText,
  resourceId,
} from './received.js';

export type PlanState = Open<'CREATED' | 'ACTIVE' | 'INACTIVE' | 'DELETED'>;

/**
 * A billing plan (2.5). The specification guarantees only its id: other fields that an answer leaves out are undefined.
 */
export interface Plan {
  readonly id: string;
  readonly state: PlanState | undefined;
  readonly name: string | undefined;
  readonly description: string | undefined;
  readonly type: Open<'fixed' | 'infinite'> | undefined;
  /** Empty in lists. */
  readonly paymentDefinitions: readonly PaymentDefinition[];
  readonly merchantPreferences: MerchantPreferences | undefined;
  readonly createTime: string | undefined;
  readonly updateTime: string | undefined;
}

export interface PaymentDefinition {
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly type: Open<'REGULAR' | 'TRIAL'> | undefined;
  readonly frequency: Open<'DAY' | 'WEEK' | 'MONTH' | 'YEAR'> | undefined;
  readonly frequencyInterval: number | undefined;
  /** 0: without end. */
  readonly cycles: number | undefined;
  readonly amount: Amount | undefined;
  readonly chargeModels: readonly ChargeModel[];
}

export interface ChargeModel {
  readonly type: Open<'SHIPPING' | 'TAX'> | undefined;
  readonly amount: Amount | undefined;
}

export interface MerchantPreferences {
  readonly setupFee: Amount | undefined;
  readonly returnUrl: string | undefined;
  readonly cancelUrl: string | undefined;
  readonly autoBillAmount: Open<'YES' | 'NO'> | undefined;
  readonly initialAmountFailAction: Open<'CONTINUE' | 'CANCEL'> | undefined;
  readonly maxFailAttempts: number | undefined;
}

// Answers have enumerations in another case than requests ("Month", "yes", "FIXED").
const upper = (text: string | null | undefined) => text?.toUpperCase();

const chargeModel = z
  .object({ type: optionalText, amount: optionalAmount })
  .transform((wire): ChargeModel => ({ type: upper(wire.type), amount: wire.amount ?? undefined }));

const paymentDefinition = z
  .object({
    id: optionalText,
    name: optionalText,
    type: optionalText,
    frequency: optionalText,
    frequency_interval: optionalCount,
    cycles: optionalCount,
    amount: optionalAmount,
    charge_models: z.array(chargeModel).nullish(),
  })
  .transform((wire): PaymentDefinition => ({
    id: wire.id ?? undefined,
    name: wire.name ?? undefined,
    type: upper(wire.type),
    frequency: upper(wire.frequency),
    frequencyInterval: countOf(wire.frequency_interval),
    cycles: countOf(wire.cycles),
    amount: wire.amount ?? undefined,
    chargeModels: wire.charge_models ?? [],
  }));

/** Two fields have a spelling of the specification's (2.5) and another of the public API's. */
const merchantPreferences = z
  .object({
    setup_fee: optionalAmount,
    return_url: optionalText,
    cancel_url: optionalText,
    autobill_amount: optionalText,
    auto_bill_amount: optionalText,
    initial_amount_fail_action: optionalText,
    initial_fail_amount_action: optionalText,
    max_fail_attempts: optionalCount,
  })
  .transform((wire): MerchantPreferences => ({
    setupFee: wire.setup_fee ?? undefined,
    returnUrl: wire.return_url ?? undefined,
    cancelUrl: wire.cancel_url ?? undefined,
    autoBillAmount: upper(wire.autobill_amount ?? wire.auto_bill_amount),
    initialAmountFailAction: upper(wire.initial_amount_fail_action ?? wire.initial_fail_amount_action),
    maxFailAttempts: countOf(wire.max_fail_attempts),
  }));

export const plan: z.ZodType<Plan> = z
  .object({
    id: resourceId,
    state: optionalText,
    name: optionalText,
    description: optionalText,
    type: optionalText,
    payment_definitions: z.array(paymentDefinition).nullish(),
    merchant_preferences: merchantPreferences.nullish(),
    create_time: optionalInstant,
    update_time: optionalInstant,
  })
  .transform((wire) => ({
    id: wire.id,
    state: upper(wire.state),
    name: wire.name ?? undefined,
    description: wire.description ?? undefined,
    type: wire.type?.toLowerCase(),
    paymentDefinitions: wire.payment_definitions ?? [],
    merchantPreferences: wire.merchant_preferences ?? undefined,
    createTime: instantOf(wire.create_time),
    updateTime: instantOf(wire.update_time),
  }));

/** One page of a list; `hasNextLink`: it says itself that another one follows. */
export interface ListedPlans {
  readonly plans: readonly Plan[];
  /** False where it shows no list at all, not even an empty one. */
  readonly isListed: boolean;
  /** Of all pages together; undefined where the answer does not say. */
  readonly totalItems: number | undefined;
  readonly hasNextLink: boolean;
}

export const planPage: z.ZodType<ListedPlans> = z
  .object({ plans: z.array(plan).nullish(), total_items: optionalCount, links })
  .transform((wire) => ({
    plans: wire.plans ?? [],
    isListed: Array.isArray(wire.plans),
    totalItems: countOf(wire.total_items),
    hasNextLink: wire.links?.some(({ rel }) => /^next(_page)?$/i.test(rel)) ?? false,
  }));
