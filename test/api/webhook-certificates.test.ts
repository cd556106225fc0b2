import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { saveProviderWebhook } from '#database/events';
import { createTestSigner } from '#payments-client/testing';
import { startForbiddenListener } from '../helpers/forbidden-listener.js';
import { ApiFixture, configuration } from './api-fixture.js';
import { deliver, event, journalOf } from './deliveries.js';

test('a signed delivery whose certificate cannot be fetched is answered 503, and no row is written', async () => {
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

describe('case 24: a certificate address that leads inside our network', () => {
  /** @param inside the origin of the listener @param trusted that of the provider, host and port */
  const addresses: readonly (readonly [string, (inside: string, trusted: string) => string])[] = [
    ['by its address', (inside) => `${inside}/cert.pem`],
    ['by a name', (inside) => `${inside.replace('127.0.0.1', 'localhost')}/cert.pem`],
    [
      'by its address in another spelling',
      (inside) => `${inside.replace('127.0.0.1', '2130706433')}/cert.pem`,
    ],
    ['in the guise of IPv6', (inside) => `${inside.replace('127.0.0.1', '[::ffff:127.0.0.1]')}/cert.pem`],
    ['with the provider for a user', (inside, trusted) => `http://${trusted}@${inside.slice(7)}/cert.pem`],
    ['with the provider for a fragment', (inside, trusted) => `${inside}/cert.pem#http://${trusted}`],
    ['behind a backslash', (inside, trusted) => `http://${inside.slice(7)}\\@${trusted}/cert.pem`],
    ['as another scheme', (inside) => `${inside.replace('http', 'ftp')}/cert.pem`],
  ];

  test('is refused in every form, and no packet is sent there, not even after a redirect', async () => {
    const inside = await startForbiddenListener();
    const redirecting = createServer((_request, response) => {
      response.writeHead(302, { location: `${inside.origin}/cert.pem` }).end();
    });
    await new Promise<void>((listening) => redirecting.listen(0, '127.0.0.1', listening));
    const trusted = `127.0.0.1:${(redirecting.address() as AddressInfo).port}`;
    const webhookId = 'WEBHOOK-1';
    const applications = configuration('').applications.map((application) => ({
      ...application,
      baseUrl: `http://${trusted}`,
      webhookAuthentication: 'signature' as const,
    }));
    const api = await ApiFixture.start({ applications });
    const owner = { environment: 'sandbox', application: 'shop' };
    await saveProviderWebhook(api.db, { ...owner, webhookId, url: 'https://payments.example/webhooks' });
    const send = async (certificateAddress: string) => {
      const signer = await createTestSigner({ certificateAddress, webhookId });
      const body = Buffer.from(JSON.stringify(event({ id: 'AUTH-1' })));
      return (await deliver(api, body, { headers: signer.sign(body) })).status;
    };
    for (const [how, address] of addresses)
      expect([how, await send(address(inside.origin, trusted))]).toEqual([how, 401]);
    // From the provider itself: it cannot be had, so the delivery is to come again.
    expect(await send(`http://${trusted}/cert.pem`)).toBe(503);
    expect(inside.connections()).toBe(0);
    expect(await journalOf(api)).toEqual([]);
    await api.close();
    redirecting.close();
    await inside.close();
  });
});
