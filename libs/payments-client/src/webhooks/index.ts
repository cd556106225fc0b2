export { type WebhookEvent, MalformedEventError, parseWebhookEvent } from './event.js';
export type { DeliveryHeaders } from './transmission.js';
export { verifyWebhookSignature } from './verify-signature.js';
