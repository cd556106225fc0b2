export { EventDispatch } from './event-dispatch.js';
export { isReversal } from './event-route.js';
export { newEventOf } from './new-event.js';
export { insertReportedRefund } from './reported-refund.js';
export { sweepEvents } from './sweep-events.js';
export { takeDeliveries, type TakenDelivery } from './take-deliveries.js';
