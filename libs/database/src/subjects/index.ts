export { adoptedRefundId } from './adopted-refund-id.js';
export { findPayerCancellation, hasPayerCancelled, notePayerCancelled } from './payer-cancellation.js';
export {
  findPayment,
  findPaymentById,
  findPayments,
  findPaymentWithCommand,
  KeptRefunds,
  listPayments,
  type PaymentWithRefunds,
} from './payments.js';
export { findPayoutItems, listOpenItems, type ShownItem, takeItems, totalItems } from './payout-items.js';
export { acceptPayout, insertLostPayout, type NewPayout, type ReferenceOwner } from './accept-payout.js';
export { findPayout, findPayoutItem, listPayoutItems, listPayouts, type PayoutView } from './payouts.js';
export { findSealedLetters } from './sealed-letters.js';
export { acceptPlan, findPlan, listPlans, type PlanView } from './plans.js';
export {
  acceptRefund,
  insertLostRefund,
  insertObservedRefund,
  type RefundRequestResult,
} from './accept-refund.js';
export type { AmountRange } from '../tables/amount-range.js';
export {
  findPaymentIdOf,
  findRefund,
  findRefundIdByReference,
  isRefundUnshown,
  listRefunds,
  listOtherRefunds,
  listRequestsOf,
  listReversalsOf,
  type RefundWithTimeline,
} from './refunds.js';
export {
  findSubjectsOfResources,
  listSubscriptionPayments,
  paymentKey,
  type PaymentsRead,
  savePayments,
  type ShownPayment,
  sumOfPayments,
} from './subscription-payments.js';
export {
  acceptSubscription,
  findSubscription,
  findSubscriptionById,
  listSubscriptions,
  type NewSubscription,
  type SubscriptionView,
} from './subscriptions.js';
