import { verify, X509Certificate } from 'node:crypto';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Tables } from '../database/tables.js';
import { SIGNATURE_ALGORITHM, signedText } from './sign-delivery.js';

/** Replaces a webhook's id in deliveries of simulated events to an address without a webhook. */
export const NO_WEBHOOK_ID = 'WEBHOOK_ID';

const text = z.string().min(1).max(500);

export const verificationRequest = z.strictObject({
  auth_algo: text,
  cert_url: text,
  transmission_id: text,
  transmission_sig: text,
  transmission_time: text,
  webhook_id: text,
  webhook_event: z.record(z.string(), z.unknown()),
});

/** The service's own certificate: the only one whose signatures it accepts. */
export interface OwnCertificate {
  certificatePem: string;
  /** Its address in the deliveries. */
  url: string;
}

/**
 * Whether a delivery was made by this service, for a webhook of this application, with exactly these bytes.
 * The certificate's address is compared and never fetched: a caller could make the service call any address with it.
 * @param rawEvent `webhook_event` byte for byte as the caller sent it.
 */
export async function isOwnDelivery(
  database: Kysely<Tables>,
  clientId: string,
  certificate: OwnCertificate,
  request: z.output<typeof verificationRequest>,
  rawEvent: Buffer,
): Promise<boolean> {
  if (request.auth_algo !== SIGNATURE_ALGORITHM || request.cert_url !== certificate.url) return false;
  const { transmission_id: id, transmission_time: time, webhook_id: webhookId } = request;
  if (webhookId !== NO_WEBHOOK_ID && !(await hasWebhook(database, clientId, webhookId))) return false;
  const { publicKey } = new X509Certificate(certificate.certificatePem);
  const signature = Buffer.from(request.transmission_sig, 'base64');
  return verify('sha256', signedText({ id, time, webhookId }, rawEvent), publicKey, signature);
}

async function hasWebhook(database: Kysely<Tables>, clientId: string, webhookId: string): Promise<boolean> {
  const webhook = await database
    .selectFrom('webhooks')
    .select('id')
    .where('id', '=', webhookId)
    .where('client_id', '=', clientId)
    .executeTakeFirst();
  return webhook !== undefined;
}
