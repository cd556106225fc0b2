export { nameOfStep } from './cancellation.js';
export { isReadRequired, wouldBeAnotherBatch } from './creation.js';
export { itemsPerPage } from './deadlines.js';
export { type ComparedItem, differencesOf, itemDifferences } from './difference.js';
export {
  type ItemStatus,
  itemStatuses,
  itemStatusOf,
  openItemStatuses,
  pairsReadAs,
  type ReceiverType,
  receiverTypes,
} from './item.js';
export { payoutLifecycle, restartFrom } from './lifecycle.js';
export { isOfEndedItem, isAlreadyKnown } from './notification.js';
export { isProcessed } from './observation.js';
export {
  type DecidedReview,
  isTerminal,
  type ObserveEffect,
  orderedPayout,
  type PayoutEvent,
  type PayoutFacts,
  type PayoutState,
  type PayoutStatus,
  payoutStatuses,
  type PayoutStep,
} from './payout.js';
export { countOpen, type ItemTotals } from './totals.js';
export { transition } from './transition.js';
