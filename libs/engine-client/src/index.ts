import createClient, { type Client } from 'openapi-fetch';
import type { components, paths } from './document.js';

export type { components, operations, paths, webhooks } from './document.js';
export {
  type Notification,
  type NotificationHeaders,
  type NotificationType,
  verifyNotification,
  WebhookVerificationError,
} from './notifications.js';

/** What the API takes or answers, by its name in the document: `Schema<'Payment'>`. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

/** Calls by method and path, as the document names them. An answer has `data` or, as a problem, `error`. */
export type EngineClient = Client<paths>;

export interface EngineClientOptions {
  /** Origin of the engine's API. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** What sends the requests; default: the global one. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/**
 * Adds the API key to every call; the key of idempotency is a parameter of each call that needs one. It repeats nothing by
 * itself: without an answer, or after a 5xx, send the same call under the same key.
 */
export function createEngineClient({ baseUrl, apiKey, fetch }: EngineClientOptions): EngineClient {
  return createClient<paths>({
    baseUrl,
    headers: { authorization: `Bearer ${apiKey}` },
    ...(fetch && { fetch }),
  });
}
