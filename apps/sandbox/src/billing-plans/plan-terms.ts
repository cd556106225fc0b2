import type { MerchantPreferences, PaymentDefinition, PlanTerms } from '../database/tables.js';
import type { ErrorDetail } from '../http/api-error.js';
import { contradictionsOf } from './plan-contradictions.js';
import type { Money, PlanPatch, PlanRequest, PreferenceChanges } from './plan-request.js';
import { readDefinitions, readMoney, withDefinitionChanges } from './read-definitions.js';

/** The terms that could be read, and what is wrong with the others. */
interface Reading {
  terms: PlanTerms;
  details: ErrorDetail[];
}

/** Reads the terms of a new plan. Its currency is that of its first definition. */
export function readTerms(request: PlanRequest): Reading {
  const currency = request.payment_definitions[0]?.amount.currency ?? '';
  const details: ErrorDetail[] = [];
  const { merchant_preferences: preferences } = request;
  for (const name of ['return_url', 'cancel_url'] as const) {
    const isMissing = (name === 'return_url' ? preferences.returnUrl : preferences.cancelUrl) === undefined;
    if (isMissing) {
      details.push({ field: `merchant_preferences.${name}`, issue: 'Required field is missing' });
    }
  }
  const blank: PlanTerms = {
    name: request.name,
    description: request.description,
    type: spellType(request.type),
    currency,
    definitions: [],
    preferences: {
      setupFeeMinor: 0,
      returnUrl: '',
      cancelUrl: '',
      autoBillAmount: 'NO',
      initialFailAmountAction: 'CONTINUE',
      maxFailAttempts: 0,
    },
  };
  const terms: PlanTerms = {
    ...blank,
    definitions: readDefinitions(request.payment_definitions, currency, details, 'payment_definitions'),
    preferences: withPreferences(blank, preferences, details, 'merchant_preferences'),
  };
  return { terms, details: [...details, ...contradictionsOf(terms)] };
}

/** Applies one patch to a plan's terms; all terms are checked again. A change of state is made elsewhere. */
export function patchTerms(terms: PlanTerms, patch: PlanPatch, field: string): Reading {
  const details: ErrorDetail[] = [];
  const patched = applyPatch(terms, patch, details, field);
  return { terms: patched, details: [...details, ...contradictionsOf(patched)] };
}

/** The terms that an agreement overrides in its plan. */
export function overridePreferences(
  terms: PlanTerms,
  changes: PreferenceChanges,
  details: ErrorDetail[],
): PlanTerms {
  return {
    ...terms,
    preferences: withPreferences(terms, changes, details, 'override_merchant_preferences'),
  };
}

interface ChargeOverride {
  charge_id: string;
  amount: Money;
}

export function overrideCharges(
  terms: PlanTerms,
  overrides: readonly ChargeOverride[],
  details: ErrorDetail[],
): PlanTerms {
  const known = new Set(terms.definitions.flatMap(({ chargeModels }) => chargeModels.map(({ id }) => id)));
  const amounts = new Map<string, number>();
  overrides.forEach(({ charge_id, amount }, index) => {
    const field = `override_charge_models[${index}]`;
    if (!known.has(charge_id)) {
      details.push({ field: `${field}.charge_id`, issue: 'The plan has no such charge model' });
    }
    amounts.set(charge_id, readMoney(amount, terms.currency, details, `${field}.amount`));
  });
  const definitions = terms.definitions.map((definition) => ({
    ...definition,
    chargeModels: definition.chargeModels.map((charge) => ({
      ...charge,
      amountMinor: amounts.get(charge.id) ?? charge.amountMinor,
    })),
  }));
  return { ...terms, definitions };
}

function applyPatch(terms: PlanTerms, patch: PlanPatch, details: ErrorDetail[], field: string): PlanTerms {
  if (patch.of === 'preferences') {
    return { ...terms, preferences: withPreferences(terms, patch.changes, details, field) };
  }
  if (patch.of === 'definition') {
    const isMeant = ({ id }: PaymentDefinition) => id === patch.id;
    if (!terms.definitions.some(isMeant)) {
      details.push({ field: field.replace(/value$/, 'path'), issue: 'The plan has no such definition' });
    }
    const definitions = terms.definitions.map((definition) =>
      isMeant(definition)
        ? withDefinitionChanges(definition, patch.changes, terms.currency, details, field)
        : definition,
    );
    return { ...terms, definitions };
  }
  const { name, description, type, payment_definitions, merchant_preferences } = patch.changes;
  return {
    ...terms,
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(type !== undefined && { type: spellType(type) }),
    ...(payment_definitions !== undefined && {
      definitions: readDefinitions(
        payment_definitions,
        terms.currency,
        details,
        `${field}.payment_definitions`,
      ),
    }),
    ...(merchant_preferences !== undefined && {
      preferences: withPreferences(terms, merchant_preferences, details, `${field}.merchant_preferences`),
    }),
  };
}

/** In the spelling of the dialect that asks: the specification writes `fixed`, the public API `FIXED`. */
function spellType(type: string): string {
  return type === type.toLowerCase() ? type : type.toUpperCase();
}

function withPreferences(
  { preferences, currency }: PlanTerms,
  { setupFee, ...changes }: PreferenceChanges,
  details: ErrorDetail[],
  field: string,
): MerchantPreferences {
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  return {
    ...preferences,
    ...given,
    ...(setupFee !== undefined && {
      setupFeeMinor: readMoney(setupFee, currency, details, `${field}.setup_fee`),
    }),
  };
}
