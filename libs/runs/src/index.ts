export { callWithin } from './call-within.js';
export { isCompletedTask, newestEvents } from './newest-events.js';
export { payoutRunAfterEnd, payoutRunStart } from './payout-run.js';
export { Readiness } from './readiness.js';
export {
  looksPerRun,
  messagesPerRun,
  payerAddresses,
  paymentRunStart,
  refundRunAfterEnd,
  refundRunStart,
} from './run-input.js';
export type { RunStatus } from './run-status.js';
export { Runs } from './runs.js';
export { ensureSearchAttributes, searchAttributeNames } from './search-attributes.js';
export { type SeenWorker, seenWorkers } from './seen-workers.js';
export { ensureSchedule, type Recurrence, restoreSchedule } from './schedules.js';
export {
  planReference,
  planRunStart,
  subscriptionAddresses,
  subscriptionRunAfterEnd,
  subscriptionRunStart,
} from './subscription-run-input.js';
export { TemporalAwayError } from './temporal-away-error.js';
export { openTemporalClient, type TemporalClientOptions } from './temporal-client.js';
