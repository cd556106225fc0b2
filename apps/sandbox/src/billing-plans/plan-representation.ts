import type {
  Frequency,
  MerchantPreferences,
  PaymentDefinition,
  PlanRow,
  PlanTerms,
} from '../database/tables.js';
import type { Link, Links } from '../http/links.js';
import { writeAmount } from '../money/amount.js';

const PATH = '/v1/payments/billing-plans';

/** Answers spell frequencies otherwise than requests do. */
const FREQUENCY_ANSWERED: Readonly<Record<Frequency, string>> = {
  DAY: 'Day',
  WEEK: 'Week',
  MONTH: 'Month',
  YEAR: 'Year',
};

type WriteMinor = (minor: number, currency: string) => string;

/** A plan as answered and as the resource of its events. */
export function describePlan(plan: PlanRow, links: Links): object {
  const { definitions, preferences } = describeTerms(plan.terms, writeShortest);
  return {
    ...headOf(plan),
    payee: { merchant_id: plan.payee_id },
    payment_definitions: definitions,
    merchant_preferences: preferences,
    ...timesOf(plan),
    links: [planLink(plan.id, links)],
  };
}

/** A plan within a list: without its definitions and preferences. */
export function describePlanInList(plan: PlanRow, links: Links): object {
  return {
    ...headOf(plan),
    payee: { merchant_id: plan.payee_id },
    ...timesOf(plan),
    links: [planLink(plan.id, links)],
  };
}

/** The plan within an agreement that waits for its payer. */
export function describePlanOfNewAgreement(planId: string, terms: PlanTerms): object {
  const { definitions, preferences } = describeTerms(terms, writeShortest);
  return {
    id: planId,
    state: 'ACTIVE',
    name: terms.name,
    description: terms.description,
    type: terms.type,
    payment_definitions: definitions,
    merchant_preferences: preferences,
  };
}

/** What an executed agreement took over from its plan; its amounts have all their decimals. */
export function describePlanOfAgreement(terms: PlanTerms): object {
  const { definitions, preferences } = describeTerms(terms, writeAmount);
  return { payment_definitions: definitions, merchant_preferences: preferences };
}

function headOf({ id, state, terms }: PlanRow) {
  return { id, state, name: terms.name, description: terms.description, type: terms.type };
}

function timesOf({ created_at, updated_at }: PlanRow) {
  return { create_time: created_at.toISOString(), update_time: updated_at.toISOString() };
}

function planLink(id: string, links: Links): Link {
  return links.to('self', 'GET', `${PATH}/${id}`);
}

function describeTerms({ definitions, preferences, currency }: PlanTerms, write: WriteMinor) {
  const money = (minor: number) => ({ currency, value: write(minor, currency) });
  return {
    definitions: definitions.map((definition) => describeDefinition(definition, money)),
    preferences: describePreferences(preferences, money),
  };
}

function describeDefinition(definition: PaymentDefinition, money: (minor: number) => object): object {
  return {
    id: definition.id,
    name: definition.name,
    type: definition.type,
    frequency: FREQUENCY_ANSWERED[definition.frequency],
    amount: money(definition.amountMinor),
    charge_models: definition.chargeModels.map(({ id, type, amountMinor }) => ({
      id,
      type,
      amount: money(amountMinor),
    })),
    cycles: String(definition.cycles),
    frequency_interval: String(definition.frequencyInterval),
  };
}

/** Both spellings of fields that the specification and the public API name differently. */
function describePreferences(preferences: MerchantPreferences, money: (minor: number) => object): object {
  const { notifyUrl, acceptedPaymentType, charSet } = preferences;
  return {
    setup_fee: money(preferences.setupFeeMinor),
    max_fail_attempts: String(preferences.maxFailAttempts),
    return_url: preferences.returnUrl,
    cancel_url: preferences.cancelUrl,
    autobill_amount: preferences.autoBillAmount,
    auto_bill_amount: preferences.autoBillAmount,
    initial_amount_fail_action: preferences.initialFailAmountAction,
    initial_fail_amount_action: preferences.initialFailAmountAction,
    ...(notifyUrl !== undefined && { notify_url: notifyUrl }),
    ...(acceptedPaymentType !== undefined && { accepted_payment_type: acceptedPaymentType }),
    ...(charSet !== undefined && { char_set: charSet }),
  };
}

/** Plans answer "10.60" as "10.6" and "100.00" as "100": clients must compare decimals, not texts. */
function writeShortest(minor: number, currency: string): string {
  const text = writeAmount(minor, currency);
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}
