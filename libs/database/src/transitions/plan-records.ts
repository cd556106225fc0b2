import { isAlreadyKnown, type PlanState, isTerminal, planStatuses } from '#workflows/lifecycle/plan';
import type { SubjectRecords } from './transition.js';

export const planRecords: SubjectRecords<PlanState> = {
  table: 'plans',
  ends: planStatuses.filter(isTerminal),
  resourcesOf: ({ providerPlanId }) =>
    providerPlanId === undefined ? [] : [{ id: providerPlanId, kind: 'plan' }],
  isAlreadyKnown,
  fulfilledBy: () => [],
};
