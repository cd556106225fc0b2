import { randomUUID, sign } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { SigningCertificate } from './signing-certificate.js';

/** One transmission of an event to a webhook, as it is sent. */
export interface Transmission {
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** What was sent when, and to which webhook. */
export interface TransmissionFacts {
  readonly id: string;
  /** As the header gives it. */
  readonly time: string;
  readonly webhookId: string;
}

export const SIGNATURE_ALGORITHM = 'SHA256withRSA';

/** What is signed: `id|time|webhookId|crc32`, the CRC-32 of the raw body as an unsigned decimal. */
export function signedText({ id, time, webhookId }: TransmissionFacts, body: Buffer): Buffer {
  return Buffer.from(`${id}|${time}|${webhookId}|${crc32(body)}`);
}

/** Signs a body for a webhook; the certificate is found at `certificateUrl`. */
export function signTransmission(
  body: Buffer,
  webhookId: string,
  certificate: SigningCertificate,
  certificateUrl: string,
  now: Date,
): Transmission {
  const id = randomUUID();
  const time = now.toISOString();
  const signed = signedText({ id, time, webhookId }, body);
  const headers = {
    'paypal-transmission-id': id,
    'paypal-transmission-time': time,
    'paypal-transmission-sig': sign('sha256', signed, certificate.privateKey).toString('base64'),
    'paypal-cert-url': certificateUrl,
    'paypal-auth-algo': SIGNATURE_ALGORITHM,
  };
  return { id, headers, body };
}
