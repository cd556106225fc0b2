import { type Difference, differing } from '../difference.js';
import { moneyText } from '../money.js';
import type { PlanPhase, PlanState, PlanStatus } from './plan.js';

/** A plan as the provider shows it, including the terms of new agreements. */
export interface ShownPlan {
  readonly shown: string;
  /** Absent if the provider does not show them: the specification guarantees only the id. */
  readonly phases?: readonly ShownPhase[];
  readonly setupFeeMinor?: number;
}

export type ShownPhase = Pick<PlanPhase, 'type' | 'frequency' | 'interval' | 'cycles' | 'minor'>;

/** The provider's states that agree with a status; undefined if all do because the plan is under way. */
const agreeing: Readonly<Record<PlanStatus, readonly string[] | undefined>> = {
  creating: undefined,
  activating: undefined,
  active: ['ACTIVE'],
  deactivating: undefined,
  inactive: ['INACTIVE'],
  deleted: ['DELETED'],
  // It was created and could not be activated; an active plan would be a difference.
  declined: ['CREATED', 'INACTIVE', 'DELETED'],
};

/** The differences between a plan at rest and the provider's records. */
export function differencesOf(state: PlanState, shown: ShownPlan): Difference[] {
  const { status } = state;
  const isAgreed = agreeing[status]?.includes(shown.shown) ?? true;
  const inStatus = isAgreed ? [] : [{ field: 'plan', ours: status, theirs: shown.shown.toLowerCase() }];
  return [...inStatus, ...inTerms(state, shown)];
}

/** Terms that were changed elsewhere: new subscriptions are billed by them. */
function inTerms({ order: { terms } }: PlanState, { phases, setupFeeMinor }: ShownPlan): Difference[] {
  const { currency } = terms;
  const compared: Difference[] = [];
  if (phases) {
    compared.push(
      ...(['TRIAL', 'REGULAR'] as const).map((type) => ({
        field: `${type.toLowerCase()} phase`,
        ours: phaseInWords(terms.phases, type, currency),
        theirs: phaseInWords(phases, type, currency),
      })),
    );
  }
  if (setupFeeMinor !== undefined) {
    const fee = (minor: number) => moneyText({ minor, currency });
    compared.push({ field: 'setup fee', ours: fee(terms.setupFeeMinor), theirs: fee(setupFeeMinor) });
  }
  return differing(compared);
}

function phaseInWords(phases: readonly ShownPhase[], type: ShownPhase['type'], currency: string): string {
  const phase = phases.find((one) => one.type === type);
  if (!phase) return 'none';
  const { minor, frequency, interval, cycles } = phase;
  const often = cycles === 0 ? 'without end' : `${cycles} times`;
  return `${moneyText({ minor, currency })} every ${interval} ${frequency}, ${often}`;
}
