export { type AttemptResult, leaseDeliveries, type LeasedDelivery, recordAttempt } from './delivery-lease.js';
export {
  changeEndpoint,
  deleteEndpoint,
  findEndpoint,
  listEndpoints,
  mostEndpoints,
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
export { replayNotifications, resendNotification, insertTest } from './redeliveries.js';
