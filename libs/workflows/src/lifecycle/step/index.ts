export { type LookHint, type OpenStep, type StepEvent, type StepOf, withReviewAt } from './open-step.js';
export {
  type DecidedReview,
  type DecisionRefusal,
  type DecisionRefused,
  possibleStepDecisions,
  stepDecisions,
  stepUnderReview,
} from './review.js';
export type { SteppingState } from './step-rules.js';
export { stepNouns } from './step-nouns.js';
