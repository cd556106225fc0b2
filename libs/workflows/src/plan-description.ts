import { nextDeadline } from './lifecycle/plan/lifecycle.js';
import type { PlanEffect, PlanState } from './lifecycle/plan/plan.js';
import { describeDoubt, describeRun, doingNow } from './run/description.js';

export function describePlan(state: PlanState, effect?: PlanEffect): string {
  const { status, order, reason } = state;
  const doing = doingNow(effect, () => 'reading the plan');
  return describeRun([`**${status}** · plan in ${order.terms.currency}`], doing, nextDeadline(state), [
    describeDoubt(state, order.terms.currency),
    reason,
  ]);
}
