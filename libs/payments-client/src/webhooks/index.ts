export { type WebhookEvent, MalformedEventError, parseWebhookEvent, readWebhookEvent } from './event.js';
export type { DeliveryHeaders } from './transmission.js';
export { type SignatureVerdict, verifyWebhookSignature } from './verify-signature.js';
