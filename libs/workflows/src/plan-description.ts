import { nextDeadline } from './lifecycle/plan/lifecycle.js';
import type { PlanEffect, PlanState } from './lifecycle/plan/plan.js';
import { consoleLink, describeDoubt, describeRun, doingNow } from './run/description.js';

/** @param address of the plan in the API. */
export function describePlan(state: PlanState, effect?: PlanEffect, address = ''): string {
  const { status, order, reason } = state;
  const doing = doingNow(effect, () => 'reading the plan');
  return describeRun([`**${status}** · plan in ${order.terms.currency}`], doing, nextDeadline(state), [
    describeDoubt(state, order.terms.currency),
    reason,
    consoleLink(address),
  ]);
}
