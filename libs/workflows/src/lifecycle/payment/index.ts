export { lacksCapture, showsUnclaimedCapture, showsWhatIsKnown } from './absence.js';
export { finalParts, isKnown } from './adopted-captures.js';
export { allowedActions, paymentActions } from './allowed-actions.js';
export { type AmountDetails, amountParts, sumOfDetails, writeDetails } from './amount-details.js';
export { amountsOf } from './amounts.js';
export {
  currentDeadlines,
  holdDeadlines,
  policyCaptureAt,
  reauthorizationAt,
  willExpiryPolicyAct,
  expiryPolicyDay,
  windowDays,
} from './deadlines.js';
export { differencesOf } from './difference.js';
export type { PaymentEvent, RefusalCode } from './event.js';
export { type HonourPolicy, type ReauthorizeStep, usualHonourPolicy } from './hold.js';
export { paymentLifecycle } from './lifecycle.js';
export { contradictedAmount, isAlreadyKnown } from './notification.js';
export { nameOfStep } from './open-step.js';
export {
  type Capture,
  type CapturePolicy,
  type CaptureStatus,
  type DecidedReview,
  type EndedHold,
  isSale,
  isTerminal,
  type MoneyStep,
  type OpenStep,
  orderedPayment,
  rulesOfNewOrders,
  type PaymentIntent,
  paymentIntents,
  type PaymentOrder,
  type PaymentState,
  type PaymentStatus,
  paymentStatuses,
  type ProviderFacts,
  reviewDecisions,
  type Sale,
} from './payment.js';
export { isSuperseded, reauthorizationIn } from './reauthorization.js';
export { restartFrom } from './restart.js';
export {
  isDecidedOnWord,
  isReadRequired,
  possibleDecisions,
  reviewSubject,
  reviewSubjects,
} from './review.js';
export { policiesWithoutHold } from './sale.js';
export { transition } from './transition.js';
