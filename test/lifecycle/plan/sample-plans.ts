import { type PlanState, type PlanStatus, orderedPlan } from '#workflows/lifecycle/plan';
import { runningStep } from '#workflows/lifecycle/step/open-step.js';
import { now, patience } from '../subscription/sample-subscriptions.js';

const ordered = orderedPlan(
  {
    planId: 'plan_1',
    terms: {
      name: 'Magazine',
      description: 'Every month',
      currency: 'USD',
      phases: [
        { name: 'Regular', type: 'REGULAR', frequency: 'MONTH', interval: 1, cycles: 12, minor: 1_000 },
      ],
      setupFeeMinor: 0,
      setupFeeFailure: 'continue',
      autoBillsOutstanding: true,
      maxFailedPayments: 0,
    },
    patience,
  },
  now,
);

/** A plan as it stands in a status. */
export function plan(status: PlanStatus): PlanState {
  if (status === 'creating') return ordered;
  const { openStep: _done, ...standing } = { ...ordered, status, providerPlanId: 'P-1', updatedAt: now };
  if (status === 'activating')
    return { ...standing, openStep: runningStep(2, { type: 'activatePlan' }, now) };
  const deactivation = { type: 'deactivatePlan', commandId: 'cmd_1' } as const;
  return status === 'deactivating' ? { ...standing, openStep: runningStep(3, deactivation, now) } : standing;
}
