import 'reflect-metadata';
import { createSign, KeyObject, randomUUID, webcrypto } from 'node:crypto';
import { X509CertificateGenerator } from '@peculiar/x509';
import { signedText } from './transmission.js';

export interface TestSignerOptions {
  /** Where the receiver will look for the certificate: serve `certificatePem` there. */
  readonly certificateAddress: string;
  readonly webhookId: string;
  /** Default: an hour ago. */
  readonly validFrom?: Date;
  /** Default: in an hour. */
  readonly validTo?: Date;
}

/** Signs deliveries like the provider, with its own key. For tests of a receiver. */
export interface TestSigner {
  readonly certificatePem: string;
  /** The headers of a delivery of exactly these bytes, to the webhook of the options unless another is named. */
  sign(rawBody: Uint8Array, webhookId?: string): Record<string, string>;
}

const ALGORITHM = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  modulusLength: 2_048,
  publicExponent: Uint8Array.of(1, 0, 1),
};
const HOUR_MS = 3_600_000;

export async function createTestSigner(options: TestSignerOptions): Promise<TestSigner> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=webhook test signer',
    notBefore: options.validFrom ?? new Date(Date.now() - HOUR_MS),
    notAfter: options.validTo ?? new Date(Date.now() + HOUR_MS),
    signingAlgorithm: ALGORITHM,
    keys,
  });
  const privateKey = KeyObject.from(keys.privateKey);
  return {
    certificatePem: certificate.toString('pem'),
    sign(rawBody, webhookId = options.webhookId) {
      const id = randomUUID();
      const time = new Date().toISOString();
      const text = signedText(id, time, webhookId, rawBody);
      return {
        'paypal-transmission-id': id,
        'paypal-transmission-time': time,
        'paypal-transmission-sig': createSign('RSA-SHA256').update(text).sign(privateKey, 'base64'),
        'paypal-cert-url': options.certificateAddress,
        'paypal-auth-algo': 'SHA256withRSA',
      };
    },
  };
}
