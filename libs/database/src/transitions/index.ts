export { paymentRecords } from './payment-records.js';
export { payoutRecords } from './payout-records.js';
export { planRecords } from './plan-records.js';
export { refundRecords } from './refund-records.js';
export { subscriptionRecords } from './subscription-records.js';
export { findDetail, listTimeline, type StoredEntry } from './timeline.js';
export type { CommandOutcome, SubjectRecords, Transition } from './transition.js';
export {
  beginAttempt,
  CommandEndedError,
  EndOnRecordError,
  findAttempts,
  findPosition,
  LateTaskError,
  type NewOutcome,
  type OnCommitted,
  writeAttemptOutcome,
  writeTransition,
  writeTransitionWithRows,
} from './write-transition.js';
