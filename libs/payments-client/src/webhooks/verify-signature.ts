import { verify } from 'node:crypto';
import { isTrustedCertificateAddress } from './certificate-address.js';
import { CertificateCache, type SigningCertificate } from './certificate-cache.js';
import { fetchCertificate, type FetchCertificate } from './fetch-certificate.js';
import { type DeliveryHeaders, readTransmission, signedText, type Transmission } from './transmission.js';

export interface SignedDelivery {
  readonly headers: DeliveryHeaders;
  /** The body's bytes exactly as they arrived. */
  readonly rawBody: Uint8Array;
  /** The provider's id of the webhook that this delivery claims to be for: a signature for another is refused. */
  readonly webhookId: string;
  /** Origins from which a signing certificate may be fetched; no packet goes anywhere else. */
  readonly trustedCertificateOrigins: readonly string[];
  /** Replaces the bounded fetch over the network; certificates are cached per function. */
  readonly fetchCertificate?: FetchCertificate | undefined;
}

export type SignatureResult =
  /**
   * The signature covers a checksum of the body, for which collisions can be made. So a receiver must bind this id to
   * the first body that came with it. If another body comes, only the provider knows which one is genuine: read the
   * event by its id.
   */
  | { readonly outcome: 'genuine'; readonly transmissionId: string }
  /** Refuse the delivery. */
  | { readonly outcome: 'forged'; readonly reason: ForgeryReason }
  /** The certificate cannot be fetched now: answer 503, so that the provider delivers again. */
  | { readonly outcome: 'undecided'; readonly reason: 'certificate_unavailable' };

export type ForgeryReason =
  | 'headers_missing'
  | 'algorithm_not_accepted'
  | 'certificate_origin_not_trusted'
  | 'certificate_not_acceptable'
  | 'certificate_not_in_force'
  | 'signature_mismatch';

/**
 * Checks a delivery's signature offline: SHA256withRSA over the raw bytes' checksum, with the certificate of a
 * pinned origin, in force now. Never throws.
 */
export async function verifyWebhookSignature(delivery: SignedDelivery): Promise<SignatureResult> {
  const transmission = readTransmission(delivery.headers);
  if (transmission === undefined) return forged('headers_missing');
  // The sender names the algorithm and could choose a weaker one, so only one is accepted.
  if (transmission.algorithm !== 'SHA256withRSA') return forged('algorithm_not_accepted');
  if (!isTrustedCertificateAddress(transmission.certificateAddress, delivery.trustedCertificateOrigins)) {
    return forged('certificate_origin_not_trusted');
  }
  let certificate: SigningCertificate;
  try {
    certificate = await cacheFor(delivery.fetchCertificate).get(transmission.certificateAddress);
  } catch {
    return { outcome: 'undecided', reason: 'certificate_unavailable' };
  }
  return checkSignature(delivery, transmission, certificate, Date.now());
}

function checkSignature(
  { rawBody, webhookId }: SignedDelivery,
  { id, time, signature }: Transmission,
  { publicKey, rsaBits, validFrom, validTo }: SigningCertificate,
  now: number,
): SignatureResult {
  if (rsaBits < 2_048) return forged('certificate_not_acceptable');
  if (now < validFrom || now > validTo) return forged('certificate_not_in_force');
  const text = Buffer.from(signedText(id, time, webhookId, rawBody));
  return verify('RSA-SHA256', text, publicKey, Buffer.from(signature, 'base64'))
    ? { outcome: 'genuine', transmissionId: id }
    : forged('signature_mismatch');
}

const caches = new WeakMap<FetchCertificate, CertificateCache>();

function cacheFor(fetch: FetchCertificate = fetchCertificate): CertificateCache {
  let cache = caches.get(fetch);
  if (cache === undefined) {
    cache = new CertificateCache(fetch);
    caches.set(fetch, cache);
  }
  return cache;
}

function forged(reason: ForgeryReason): SignatureResult {
  return { outcome: 'forged', reason };
}
