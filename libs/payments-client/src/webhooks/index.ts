export { type WebhookEvent, MalformedEventError, parseWebhookEvent, readWebhookEvent } from './event.js';
export { isInternalAddress, isInternalHost } from './internal-address.js';
export type { DeliveryHeaders } from './transmission.js';
export { type SignatureResult, verifyWebhookSignature } from './verify-signature.js';
