import { randomUUID, sign } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { SigningCertificate } from './signing-certificate.js';

/** One transmission of an event to a webhook, as it goes over the wire. */
export interface Transmission {
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/**
 * Signs a body for a webhook. What is signed is `id|time|webhookId|crc32`, the CRC-32 of the raw body as an unsigned
 * decimal; the certificate is found at `certificateUrl`.
 */
export function signTransmission(
  body: Buffer,
  webhookId: string,
  certificate: SigningCertificate,
  certificateUrl: string,
  now: Date,
): Transmission {
  const id = randomUUID();
  const time = now.toISOString();
  const signed = Buffer.from(`${id}|${time}|${webhookId}|${crc32(body)}`);
  const headers = {
    'paypal-transmission-id': id,
    'paypal-transmission-time': time,
    'paypal-transmission-sig': sign('sha256', signed, certificate.privateKey).toString('base64'),
    'paypal-cert-url': certificateUrl,
    'paypal-auth-algo': 'SHA256withRSA',
  };
  return { id, headers, body };
}
