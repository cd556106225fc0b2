import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { saveProviderWebhook } from '../../libs/database/src/provider-webhooks.js';
import { createTestSigner } from '../../libs/payments-client/src/webhooks/test-signer.js';
import { ApiFixture, configuration } from './api-fixture.js';
import { deliver, event, journalOf } from './deliveries.js';

test('a signed delivery whose certificate cannot be had is neither believed nor lost: 503, and no row', async () => {
  const server = createServer((_request, response) => {
    response.statusCode = 500;
    response.end();
  });
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening);
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const webhookId = 'WEBHOOK-1';
  const signer = await createTestSigner({ certificateAddress: `${baseUrl}/cert.pem`, webhookId });
  const applications = configuration('').applications.map((application) => ({
    ...application,
    baseUrl,
    webhookAuthentication: 'signature' as const,
  }));
  const api = await ApiFixture.start({ applications });
  const owner = { environment: 'sandbox', application: 'shop' };
  await saveProviderWebhook(api.db, { ...owner, webhookId, url: 'https://payments.example/webhooks' });
  const body = Buffer.from(JSON.stringify(event({ id: 'AUTH-1' })));
  const answer = await deliver(api, body, { headers: signer.sign(body) });
  expect(answer.status).toBe(503);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await journalOf(api)).toEqual([]);
  await api.close();
  server.close();
});
