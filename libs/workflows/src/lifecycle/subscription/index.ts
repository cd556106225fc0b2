export { billingShown, isBalanceReached, settingShown, type ShownBalance } from './balance-shown.js';
export { bookReadSince, isBookOwed, mayLackFailure } from './book.js';
export { changeShown } from './change-shown.js';
export { differencesOf } from './difference.js';
export { restartFrom, subscriptionLifecycle } from './lifecycle.js';
export { isAboutPayment, isAlreadyKnown } from './notification.js';
export { isOlder, withNewerBilling } from './observation.js';
export { isTooLate, nameOfStep } from './open-step.js';
export {
  collectedStatuses,
  describeChanges,
  paymentStatusOf,
  showsLessReturned,
  statusBeside,
  type SubscriptionPaymentStatus,
  subscriptionPaymentStatuses,
} from './payment-status.js';
export { eventOnWord, isReadRequired } from './review.js';
export { isStateChange } from './step.js';
export {
  type AgreementFacts,
  type BalanceBilling,
  type BalanceSetting,
  type Billing,
  isTerminal,
  type OpenStep,
  orderedSubscription,
  type SeenBalance,
  type StateChange,
  type SubscriptionEvent,
  type SubscriptionOrder,
  type SubscriptionRefusalCode,
  type SubscriptionState,
  type SubscriptionStatus,
  subscriptionStatuses,
  type SubscriptionStep,
} from './subscription.js';
export { type AllowedAction, allowedActions, transition } from './transition.js';
