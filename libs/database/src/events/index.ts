export {
  type ContestedEvent,
  leaseContestedEvents,
  markAsConflict,
  takeShownEvent,
} from './contested-events.js';
export { type AppliedEvent, type Delivery, journalDeliveries } from './delivery-journal.js';
export {
  type EventMark,
  findDueEvents,
  findSubjectsOf,
  type KnownSubject,
  type LeasedEvent,
  leaseWebhookEvents,
  lockSubjectOf,
  markWebhookEvent,
  markWebhookEvents,
} from './event-lease.js';
export {
  deleteForeignEvents,
  findMissingEvents,
  findOwnResources,
  giveUpParkedEvents,
} from './missed-events.js';
export { findProviderWebhook, saveProviderWebhook, withWebhookLock } from './provider-webhooks.js';
export {
  countWaitingEvents,
  findWebhookEvent,
  findWebhookEvents,
  listResends,
  resendWebhookEvent,
  waits,
} from './webhook-event-list.js';
export {
  type JournaledEvent,
  journalWebhookEvent,
  type NewWebhookEvent,
  type Transmission,
} from './webhook-events.js';
