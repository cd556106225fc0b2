import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { crc32 } from 'node:zlib';
import type { Client } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { saveProviderWebhook } from '#database/events';
import { type TestSigner, createTestSigner } from '#payments-client/testing';
import { collidedBody } from '../helpers/collided-body.js';
import { ApiFixture, authorizedState, configuration, openTemporal, signalsOf } from './api-fixture.js';
import { deliver, event, journalOf, settled, sweep } from './deliveries.js';

const webhookId = `WEBHOOK-${randomUUID()}`;
let api: ApiFixture;
let signer: TestSigner;
let stopCertificates: () => void;
let temporal: Client;

beforeAll(async () => {
  const pems = new Map<string, string>();
  const server = createServer((request, response) => response.end(pems.get(request.url ?? '')));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const certificates = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  stopCertificates = () => server.close();
  signer = await createTestSigner({ certificateAddress: `${certificates}/cert.pem`, webhookId });
  pems.set('/cert.pem', signer.certificatePem);
  const applications = configuration('').applications.map((application) => ({
    ...application,
    baseUrl: certificates,
    webhookAuthentication: 'signature' as const,
  }));
  api = await ApiFixture.start({ applications });
  temporal = await openTemporal();
  await register(webhookId);
});
afterAll(async () => {
  await temporal.connection.close();
  await api.close();
  stopCertificates();
});

async function register(id: string): Promise<void> {
  const owner = { environment: 'sandbox', application: 'shop' };
  await saveProviderWebhook(api.db, { ...owner, webhookId: id, url: 'https://payments.example/webhooks' });
}

const bytes = (body: unknown) => Buffer.from(JSON.stringify(body));

describe('case 22: an altered body that collides the checksum of a captured delivery', () => {
  test.each([
    ['as a new event', () => ({ id: `WH-${randomUUID()}` })],
    ['under the same event id', () => ({})],
  ])(
    '%s is contested and signalled to no run, while the authentic one is answered 2xx',
    async (_how, change) => {
      const state = authorizedState();
      const id = await api.paymentWith(state);
      const genuine = event({ id: state.authorization!.authorizationId, state: 'authorized' });
      const body = bytes(genuine);
      const headers = signer.sign(body);
      expect((await deliver(api, body, { headers })).status).toBe(200);
      await settled(api, genuine.id, 'applied');

      const forged = { ...genuine, resource: { ...genuine.resource, state: 'voided' }, ...change() };
      const collided = collidedBody(body, forged);
      expect(crc32(collided)).toBe(crc32(body));
      expect((await deliver(api, collided, { headers })).status).toBe(200);
      expect(await settled(api, forged.id, 'contested')).toMatchObject({ contradictions: 1 });
      expect((await deliver(api, body, { headers })).status).toBe(200);
      await sweep(api, temporal);
      await settled(api, forged.id, 'contested');
      expect(await signalsOf(temporal, id)).toEqual([]);
    },
  );

  test('that comes before the authentic one does not block it', async () => {
    const genuine = event({ id: 'AUTH-1' });
    const body = bytes(genuine);
    const headers = signer.sign(body);
    const forged = collidedBody(body, { ...genuine, id: `WH-${randomUUID()}` });
    expect((await deliver(api, forged, { headers })).status).toBe(200);
    expect((await deliver(api, body, { headers })).status).toBe(200);
    await settled(api, genuine.id, 'contested');
  });
});

test('case 9: a redelivery under its own transmission is the same event', async () => {
  const body = bytes(event({ id: 'AUTH-2' }));
  const id = (JSON.parse(body.toString()) as { id: string }).id;
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => deliver(api, body, { headers: signer.sign(body) })),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect((await journalOf(api)).filter(({ event_id }) => event_id === id)).toMatchObject([
    { deliveries: 20 },
  ]);
});

test('case 11: a signed delivery of the same event with other content is answered 2xx and makes it contested', async () => {
  const state = authorizedState();
  await api.paymentWith(state);
  const first = event({ id: state.authorization!.authorizationId, state: 'authorized' });
  const send = async (body: Buffer) => (await deliver(api, body, { headers: signer.sign(body) })).status;
  expect(await send(bytes(first))).toBe(200);
  await settled(api, first.id, 'applied');
  const other = { ...first, resource: { ...first.resource, amount: { total: '9.00', currency: 'USD' } } };
  expect(await send(bytes(other))).toBe(200);
  const row = await settled(api, first.id, 'contested');
  expect(row).toMatchObject({ contradictions: 1, resource: { state: 'authorized' } });
});

test('a webhook that was registered again is accepted from its first delivery', async () => {
  const registeredId = `WEBHOOK-${randomUUID()}`;
  const body = bytes(event({ id: 'AUTH-3' }));
  const headers = signer.sign(body, registeredId);
  expect((await deliver(api, body, { headers })).status).toBe(401);
  await register(registeredId);
  expect((await deliver(api, body, { headers })).status).toBe(200);
});
