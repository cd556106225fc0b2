export {
  type ContestedEvent,
  findFirstContent,
  leaseContestedEvents,
  markAsConflict,
  takeShownEvent,
} from './contested-events.js';
export { type AppliedEvent, type Delivery, journalDeliveries } from './delivery-journal.js';
export { findDueEvents } from './due-events.js';
export {
  type EventMark,
  type LeasedEvent,
  leaseWebhookEvents,
  markWebhookEvent,
  markWebhookEvents,
} from './event-lease.js';
export { findSubjectsOf, type KnownSubject, lockSubjectOf } from './event-subject.js';
export {
  findReceivedEvents,
  type KnownEvent,
  markKnownEvents,
  type ReceivedWithSubject,
} from './known-events.js';
export {
  deleteForeignEvents,
  findMissingEvents,
  findOwnResources,
  giveUpParkedEvents,
} from './missed-events.js';
export { firstParkedMs, parkUnknownEvent, unparkWebhookEvents } from './parked-events.js';
export {
  findOpenResends,
  finishResend,
  listProviderResends,
  type ProviderResend,
  requestProviderResend,
} from './provider-resends.js';
export { findProviderWebhook, saveProviderWebhook, withWebhookLock } from './provider-webhooks.js';
export { countWaitingEvents, findWebhookEvent, findWebhookEvents, waits } from './webhook-event-list.js';
export {
  type JournaledEvent,
  journalWebhookEvent,
  type NewWebhookEvent,
  type Transmission,
} from './webhook-events.js';
export { resendSignalledEvents } from './signalled-events.js';
export { listResends, mostResendsAnHour, resendWebhookEvent } from './webhook-resends.js';
