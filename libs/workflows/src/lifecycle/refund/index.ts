export { collectedBy } from './collected-by.js';
export { relationOf } from './late-refund.js';
export { advanceRefund, refundLifecycle, restartRefundFrom } from './lifecycle.js';
export { contradictsRefund, isLate, isOfAnother, isRefundAlreadyKnown } from './notification.js';
export { refundStepName } from './open-step.js';
export {
  type AnsweredRefund,
  type Collected,
  isRefundTerminal,
  observedRefund,
  providerRefundIdOf,
  type RefundClaim,
  type RefundEvent,
  type RefundFacts,
  type RefundRequestClaim,
  type RefundState,
  type RefundStatus,
  refundStatuses,
  type RefundStep,
  requestedRefund,
} from './refund.js';
export { evaluateRequest, refundableInAll, type RefundRequest, type RequestRefusal } from './refundable.js';
export { returnedAmounts } from './returned-amounts.js';
export { statusShown } from './status-shown.js';
export { transitionRefund } from './transition.js';
