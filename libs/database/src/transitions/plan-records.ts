import { tellsNothingNew } from '#workflows/lifecycle/plan/notification.js';
import { type PlanState, isTerminal, planStatuses } from '#workflows/lifecycle/plan/plan.js';
import type { SubjectRecords } from './transition-rows.js';

export const planRecords: SubjectRecords<PlanState> = {
  table: 'plans',
  ends: planStatuses.filter(isTerminal),
  resourcesOf: ({ providerPlanId }) =>
    providerPlanId === undefined ? [] : [{ id: providerPlanId, kind: 'plan' }],
  tellsNothingNew,
  fulfilledBy: () => [],
};
