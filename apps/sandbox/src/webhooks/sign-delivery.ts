import { randomUUID, sign } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { SigningCertificate } from './signing-certificate.js';

/**
 * Headers of one transmission. What is signed is `id|time|webhookId|crc32`, the CRC-32 of the raw body as an unsigned
 * decimal; the certificate is found at `certificateUrl`.
 */
export function signatureHeaders(
  body: Buffer,
  webhookId: string,
  certificate: SigningCertificate,
  certificateUrl: string,
  now: Date,
): Record<string, string> {
  const id = randomUUID();
  const time = now.toISOString();
  const signed = Buffer.from(`${id}|${time}|${webhookId}|${crc32(body)}`);
  return {
    'paypal-transmission-id': id,
    'paypal-transmission-time': time,
    'paypal-transmission-sig': sign('sha256', signed, certificate.privateKey).toString('base64'),
    'paypal-cert-url': certificateUrl,
    'paypal-auth-algo': 'SHA256withRSA',
  };
}
