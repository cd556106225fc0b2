import { type NotifiedResource, isWholeSecond } from '../notified-resource.js';
import { type PlanState, isTerminal } from './plan.js';

/** True if our records already have what the event reports, so that the run does not need it. */
export function isAlreadyKnown(
  state: PlanState,
  { kind, state: shown, updatedAt }: NotifiedResource,
): boolean {
  if (kind !== 'plan') return false;
  const knownAt = state.updatedAt ?? 0;
  const isOfAnotherState = updatedAt === knownAt && shown.toLowerCase() !== state.status;
  if (updatedAt !== undefined && updatedAt <= knownAt && !(isOfAnotherState && isWholeSecond(updatedAt)))
    return true;
  // A creation event has no news: every plan was created, and its terms do not change.
  if (shown === 'CREATED') return true;
  return (shown === 'ACTIVE' && state.status === 'active') || isTerminal(state.status);
}
