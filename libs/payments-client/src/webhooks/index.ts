export { type WebhookEvent, MalformedEventError, parseWebhookEvent, readWebhookEvent } from './event.js';
export { certificateFetcher } from './fetch-certificate.js';
export type { DeliveryHeaders } from './transmission.js';
export { type ForgeryReason, type SignatureResult, verifyWebhookSignature } from './verify-signature.js';
