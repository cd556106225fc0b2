import type { Frequency, PlanTerms } from '../database/tables.js';
import type { ErrorDetail } from '../http/api-error.js';

/** No cycle is longer than a year. */
const LONGEST_INTERVAL: Readonly<Record<Frequency, number>> = { DAY: 365, WEEK: 52, MONTH: 12, YEAR: 1 };

/** The contradictions in terms that could be read. */
export function contradictionsOf({ type, definitions }: PlanTerms): ErrorDetail[] {
  const ofType = (kind: string) => definitions.filter((definition) => definition.type === kind);
  const details: ErrorDetail[] = [];
  if (ofType('REGULAR').length !== 1) {
    details.push({ field: 'payment_definitions', issue: 'A plan has one REGULAR definition' });
  }
  if (ofType('TRIAL').length > 1) {
    details.push({ field: 'payment_definitions', issue: 'A plan has at most one TRIAL definition' });
  }
  definitions.forEach((definition, index) => {
    const add = (field: string, issue: string) =>
      details.push({ field: `payment_definitions[${index}].${field}`, issue });
    const isEndless = type.toUpperCase() === 'INFINITE' && definition.type === 'REGULAR';
    if (isEndless && definition.cycles !== 0) add('cycles', 'Must be 0 in an INFINITE plan');
    if (!isEndless && definition.cycles === 0) add('cycles', 'Must be at least 1');
    const longest = LONGEST_INTERVAL[definition.frequency];
    if (definition.frequencyInterval < 1 || definition.frequencyInterval > longest) {
      add('frequency_interval', `Must be between 1 and ${longest} for ${definition.frequency}`);
    }
    if (definition.type === 'REGULAR' && definition.amountMinor === 0) {
      add('amount.value', 'Must be more than zero');
    }
    const [first, second] = definition.chargeModels;
    if (first !== undefined && first.type === second?.type) {
      add('charge_models[1].type', 'Each type may stand once');
    }
  });
  return details;
}
