import type { PlanState } from '../database/tables.js';
import type { EventType } from '../events/event-types.js';

/** The states that a plan can change to from each state; deleted is final. */
const NEXT: Readonly<Record<PlanState, readonly PlanState[]>> = {
  CREATED: ['ACTIVE', 'DELETED'],
  ACTIVE: ['INACTIVE', 'DELETED'],
  INACTIVE: ['ACTIVE', 'DELETED'],
  DELETED: [],
};

/** A request for the present state changes nothing: a client repeats an activation whose answer it lost. */
export function mayBecome(from: PlanState, to: PlanState): boolean {
  return from === to || NEXT[from].includes(to);
}

export function eventOfChange(from: PlanState, to: PlanState): EventType {
  if (from === to || to === 'CREATED' || to === 'DELETED') return 'BILLING.PLAN.UPDATED';
  return to === 'ACTIVE' ? 'BILLING.PLAN.ACTIVATED' : 'BILLING.PLAN.DEACTIVATED';
}
