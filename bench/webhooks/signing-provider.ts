import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createTestSigner, type TestSigner } from '#payments-client/testing';

/** A provider as far as signatures go: it signs, and serves its certificate. */
export interface SigningProvider {
  readonly origin: string;
  /** Part of what deliveries are signed over. */
  readonly webhookId: string;
  readonly signer: TestSigner;
  close(): void;
}

export async function openSigningProvider(): Promise<SigningProvider> {
  let certificate = '';
  const server = createServer((_request, response) => response.end(certificate));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const webhookId = 'WH-BENCH';
  const signer = await createTestSigner({ certificateAddress: `${origin}/certificate.pem`, webhookId });
  certificate = signer.certificatePem;
  return { origin, webhookId, signer, close: () => server.close() };
}
