export { confirmLease, leaseDeliveries, type LeasedDelivery } from './delivery-lease.js';
export {
  type DeliveredAttempt,
  type FailedAttempt,
  recordDelivered,
  recordFailure,
} from './delivery-results.js';
export {
  changeEndpoint,
  deleteEndpoint,
  enableEndpoint,
  findEndpoint,
  findRegistered,
  listEndpoints,
  mostEndpoints,
  type NewEndpoint,
  registerEndpoint,
  rotateSecret,
} from './endpoints.js';
export {
  type LiveEvent,
  listLiveEvents,
  noteListener,
  type Position,
  isKnownPosition,
  presentPosition,
} from './live-events.js';
export {
  findNotification,
  keepPayloads,
  listNotificationAttempts,
  listNotifications,
  type NotificationWithDeliveries,
} from './notification-list.js';
export { type NotificationType, notificationTypeNames, notificationTypes } from './notification-types.js';
export {
  type ChosenNotification,
  insertTest,
  listReplayed,
  type Replayed,
  replayNotifications,
  resendNotification,
} from './redeliveries.js';
