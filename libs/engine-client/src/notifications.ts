import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import type { webhooks } from './document.js';

export { WebhookVerificationError };

export type NotificationType = keyof webhooks;

type Bodies = {
  [Type in NotificationType]: webhooks[Type]['post']['requestBody']['content']['application/json'];
};

/** Its `type` says what `data` is. */
export type Notification<Type extends NotificationType = NotificationType> = Bodies[Type];

/** Those of the Fetch standard, or as node:http has them. */
export type NotificationHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * A later engine may send types that this version does not know: answer them with 204, like all others.
 *
 * @param body as received, byte for byte.
 * @param secret of the endpoint; while a rotation overlaps, the one before is valid too.
 * @throws WebhookVerificationError when it is not genuine, or was signed more than five minutes ago.
 */
export function verifyNotification(
  headers: NotificationHeaders,
  body: string | Uint8Array,
  secret: string,
): Notification {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  return new Webhook(secret).verify(text, singleHeaders(headers)) as Notification;
}

function singleHeaders(headers: NotificationHeaders): Record<string, string> {
  const entries: Iterable<[string, unknown]> = headers instanceof Headers ? headers : Object.entries(headers);
  return Object.fromEntries([...entries].filter((entry) => typeof entry[1] === 'string')) as Record<
    string,
    string
  >;
}
