import type { ChargeModel, PaymentDefinition } from '../database/tables.js';
import type { ErrorDetail } from '../http/api-error.js';
import { newChargeModelId, newDefinitionId } from '../http/identifiers.js';
import { readAmount } from '../money/amount.js';
import type { DefinitionChanges, Money, PaymentDefinitionRequest } from './plan-request.js';

/*
 * A request's definitions, in minor units of the plan's currency. What cannot be read is added to `details`, under
 * `field`.
 */

export function readDefinitions(
  requests: readonly PaymentDefinitionRequest[],
  currency: string,
  details: ErrorDetail[],
  field: string,
): PaymentDefinition[] {
  return requests.map((request, index) => ({
    id: newDefinitionId(),
    name: request.name,
    type: request.type,
    frequency: request.frequency,
    frequencyInterval: request.frequency_interval,
    cycles: request.cycles,
    amountMinor: readMoney(request.amount, currency, details, `${field}[${index}].amount`),
    chargeModels: readChargeModels(request, currency, details, `${field}[${index}]`),
  }));
}

export function withDefinitionChanges(
  definition: PaymentDefinition,
  changes: DefinitionChanges,
  currency: string,
  details: ErrorDetail[],
  field: string,
): PaymentDefinition {
  return {
    ...definition,
    name: changes.name ?? definition.name,
    frequency: changes.frequency ?? definition.frequency,
    frequencyInterval: changes.frequency_interval ?? definition.frequencyInterval,
    cycles: changes.cycles ?? definition.cycles,
    amountMinor:
      changes.amount === undefined
        ? definition.amountMinor
        : readMoney(changes.amount, currency, details, `${field}.amount`),
    chargeModels:
      changes.charge_models === undefined
        ? definition.chargeModels
        : readChargeModels(changes, currency, details, field),
  };
}

function readChargeModels(
  { charge_models = [] }: DefinitionChanges,
  currency: string,
  details: ErrorDetail[],
  field: string,
): ChargeModel[] {
  return charge_models.map(({ type, amount }, index) => ({
    id: newChargeModelId(),
    type,
    amountMinor: readMoney(amount, currency, details, `${field}.charge_models[${index}].amount`),
  }));
}

/** Minor units; 0 and a detail for what cannot be read. */
export function readMoney(money: Money, currency: string, details: ErrorDetail[], field: string): number {
  if (money.currency !== currency) {
    details.push({ field: `${field}.currency`, issue: 'All amounts of a plan must have the same currency' });
    return 0;
  }
  const reading = readAmount(money.value, currency);
  if ('minor' in reading) return reading.minor;
  const part = reading.issue.startsWith('Currency') ? 'currency' : 'value';
  details.push({ field: `${field}.${part}`, issue: reading.issue });
  return 0;
}
