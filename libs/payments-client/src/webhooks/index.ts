export { type WebhookEvent, MalformedEventError, parseWebhookEvent } from './event.js';
export type { FetchCertificate } from './fetch-certificate.js';
export type { ResourceIds } from './resource-ids.js';
export type { DeliveryHeaders } from './transmission.js';
export {
  type ForgeryReason,
  type SignatureVerdict,
  type SignedDelivery,
  verifyWebhookSignature,
} from './verify-signature.js';
