import 'reflect-metadata';
import { createSign, KeyObject, webcrypto } from 'node:crypto';
import { X509CertificateGenerator } from '@peculiar/x509';
import { describe, expect, it } from 'vitest';
import { verifyWebhookSignature } from '#payments-client/webhooks';
import { signedText } from '#payments-client/webhooks/transmission.js';

const origin = 'https://provider.example';
const webhookId = 'WH-1';
const rawBody = Buffer.from('{"id":"WH-EVENT-1"}');

/** A delivery that is sound in every way, signed with an RSA key of this length. */
async function deliveryUnderKeyOf(modulusLength: number) {
  const algorithm = {
    name: 'RSASSA-PKCS1-v1_5',
    hash: 'SHA-256',
    modulusLength,
    publicExponent: Uint8Array.of(1, 0, 1),
  };
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=a key of another length',
    signingAlgorithm: algorithm,
    keys,
  });
  const time = new Date().toISOString();
  const text = signedText('transmission-1', time, webhookId, rawBody);
  return {
    headers: {
      'paypal-transmission-id': 'transmission-1',
      'paypal-transmission-time': time,
      'paypal-transmission-sig': createSign('RSA-SHA256')
        .update(text)
        .sign(KeyObject.from(keys.privateKey), 'base64'),
      'paypal-cert-url': `${origin}/cert.pem`,
      'paypal-auth-algo': 'SHA256withRSA',
    },
    rawBody,
    webhookId,
    trustedCertificateOrigins: [origin],
    fetchCertificate: async () => certificate.toString('pem'),
  };
}

describe('a signing key', () => {
  it('of 1,024 bits is refused, because it can be broken', async () => {
    await expect(verifyWebhookSignature(await deliveryUnderKeyOf(1_024))).resolves.toMatchObject({
      outcome: 'forged',
      reason: 'certificate_not_acceptable',
    });
  });

  it('of 2,048 bits is accepted', async () => {
    await expect(verifyWebhookSignature(await deliveryUnderKeyOf(2_048))).resolves.toMatchObject({
      outcome: 'genuine',
    });
  });
});
