import { z } from 'zod';
import type { Dialect } from '../dialect.js';
import type { Amount } from '../money.js';
import { planPreferences, type PlanPreferencesRequest, spellPreferences } from './plan-preferences.js';
import { sentValueOrZero, onlyIfFieldsAreValid } from './sent.js';

/** A billing plan (2.5): the terms that many payers can agree to. All amounts are of one currency. */
export interface CreatePlanRequest {
  /** ≤ 128 characters. */
  readonly name: string;
  /** ≤ 127 characters. */
  readonly description: string;
  /** `fixed`: ends after the regular definition's cycles; `infinite`: those are 0, and it does not end. */
  readonly type: 'fixed' | 'infinite';
  /** One REGULAR definition, and at most one TRIAL, whose cycles come first. */
  readonly paymentDefinitions: readonly PaymentDefinitionRequest[];
  readonly merchantPreferences: PlanPreferencesRequest;
}

export interface PaymentDefinitionRequest {
  readonly name: string;
  readonly type: 'REGULAR' | 'TRIAL';
  readonly frequency: 'DAY' | 'WEEK' | 'MONTH' | 'YEAR';
  /** Units of `frequency` from one cycle to the next. */
  readonly frequencyInterval: number;
  /** 1 to 999; 0 for the regular definition of an infinite plan. */
  readonly cycles: number;
  /** A trial's may be zero. */
  readonly amount: Amount;
  /** What each cycle costs besides the amount. */
  readonly chargeModels?: readonly { readonly type: 'SHIPPING' | 'TAX'; readonly amount: Amount }[];
}

const chargeModel = z.strictObject({ type: z.enum(['SHIPPING', 'TAX']), amount: sentValueOrZero });

const paymentDefinition = z
  .strictObject({
    name: z.string().min(1).max(128),
    type: z.enum(['REGULAR', 'TRIAL']),
    frequency: z.enum(['DAY', 'WEEK', 'MONTH', 'YEAR']),
    frequencyInterval: z.int().min(1).max(365),
    cycles: z.int().min(0).max(999),
    amount: sentValueOrZero,
    chargeModels: z.array(chargeModel).max(2).optional(),
  })
  .transform(({ frequencyInterval, cycles, chargeModels, ...rest }) => ({
    ...rest,
    frequency_interval: String(frequencyInterval),
    cycles: String(cycles),
    charge_models: chargeModels,
  }));

export const createPlanRequest = z
  .strictObject({
    name: z.string().min(1).max(128),
    description: z.string().min(1).max(127),
    type: z.enum(['fixed', 'infinite']),
    paymentDefinitions: z.array(paymentDefinition).min(1).max(2),
    merchantPreferences: planPreferences,
  })
  .superRefine(({ type, paymentDefinitions, merchantPreferences }, context) => {
    const refuse = (path: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', path, message });
    const regular = paymentDefinitions.filter((definition) => definition.type === 'REGULAR');
    if (regular.length !== 1) refuse(['paymentDefinitions'], 'must hold one REGULAR definition');
    const currency = paymentDefinitions[0]?.amount.currency;
    paymentDefinitions.forEach((definition, at) => {
      const isEndless = type === 'infinite' && definition.type === 'REGULAR';
      if ((definition.cycles === '0') !== isEndless) {
        refuse(['paymentDefinitions', at, 'cycles'], isEndless ? 'must be 0' : 'must be at least 1');
      }
      if (definition.type === 'REGULAR' && /^[0.]+$/.test(definition.amount.value)) {
        refuse(['paymentDefinitions', at, 'amount'], 'must be positive');
      }
      const charged = [definition.amount, ...(definition.charge_models ?? []).map(({ amount }) => amount)];
      if (charged.some((amount) => amount.currency !== currency)) {
        refuse(['paymentDefinitions', at], 'must be of one currency');
      }
    });
    const feeCurrency = merchantPreferences.setupFee?.currency ?? currency;
    if (feeCurrency !== currency)
      refuse(['merchantPreferences', 'setupFee'], 'must be of the plan’s currency');
  }, onlyIfFieldsAreValid);

/** The plan in the spelling of a dialect. */
export function spellPlan(dialect: Dialect, request: z.output<typeof createPlanRequest>): object {
  return {
    name: request.name,
    description: request.description,
    type: dialect.planTypes[request.type],
    payment_definitions: request.paymentDefinitions,
    merchant_preferences: spellPreferences(dialect, request.merchantPreferences),
  };
}
