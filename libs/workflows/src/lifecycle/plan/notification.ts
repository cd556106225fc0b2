import type { NotifiedResource } from '../notified-resource.js';
import { type PlanState, isTerminal } from './plan.js';

/** True when our records already say what the event says, so that the run need not be woken for it. */
export function tellsNothingNew(
  state: PlanState,
  { kind, state: shown, updatedAt }: NotifiedResource,
): boolean {
  if (kind !== 'plan') return false;
  if (updatedAt !== undefined && updatedAt <= (state.updatedAt ?? 0)) return true;
  // Every plan was created once, and what its terms are does not change here.
  if (shown === 'CREATED') return true;
  return (shown === 'ACTIVE' && state.status === 'active') || isTerminal(state.status);
}
