/**
 * For tests of a webhook receiver: signs deliveries like the provider, with its own key.
 *
 * ```ts const signer = await createTestSigner({ certificateAddress: `${origin}/certificate.pem`, webhookId }); // Serve
 * `signer.certificatePem` at that address, and trust its origin. const rawBody = Buffer.from(JSON.stringify(event));
 * await fetch(receiver, { method: 'POST', headers: signer.sign(rawBody), body: rawBody }); ```
 *
 * A separate entry point, because it contains a certificate generator that no service needs.
 */
export { createTestSigner, type TestSigner } from './webhooks/test-signer.js';
