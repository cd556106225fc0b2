export { EventDispatch } from './event-dispatch.js';
export { newEventOf } from './new-event.js';
export { sweepEvents } from './sweep-events.js';
export { takeDeliveries, type TakenDelivery } from './take-deliveries.js';
