/**
 * For the tests of whoever receives webhooks: signs deliveries as the provider does, with a key of its own.
 *
 * ```ts
 * const signer = await createTestSigner({ certificateAddress: `${origin}/certificate.pem`, webhookId });
 * // Serve `signer.certificatePem` at that address, and trust its origin.
 * const rawBody = Buffer.from(JSON.stringify(event));
 * await fetch(receiver, { method: 'POST', headers: signer.sign(rawBody), body: rawBody });
 * ```
 *
 * An entry point of its own: it brings a certificate generator along, which no service needs.
 */
export { createTestSigner, type TestSigner } from './webhooks/test-signer.js';
