export { differencesOf, type ShownPhase, type ShownPlan } from './difference.js';
export { planLifecycle, restartFrom } from './lifecycle.js';
export { isAlreadyKnown } from './notification.js';
export { nameOfStep, waitPolicyOf } from './open-step.js';
export {
  frequencies,
  type Frequency,
  isTerminal,
  type OpenStep,
  orderedPlan,
  type PlanEvent,
  type PlanFacts,
  type PlanPhase,
  type PlanState,
  type PlanStatus,
  planStatuses,
  type PlanStep,
  type PlanTerms,
} from './plan.js';
export { isDeactivatable, transition } from './transition.js';
