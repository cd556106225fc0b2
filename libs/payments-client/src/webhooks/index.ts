export { type WebhookEvent, MalformedEventError, parseWebhookEvent } from './event.js';
export type { DeliveryHeaders } from './transmission.js';
export { type SignatureVerdict, verifyWebhookSignature } from './verify-signature.js';
