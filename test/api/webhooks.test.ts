import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Client } from '@temporalio/client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { saveProviderWebhook } from '../../libs/database/src/provider-webhooks.js';
import { type TestSigner, createTestSigner } from '../../libs/payments-client/src/webhooks/test-signer.js';
import { until } from '../helpers/until.js';
import {
  ApiFixture,
  type CallOptions,
  authorizedState,
  closedAddress,
  configuration,
  openTemporal,
  runIdOf,
  signalsOf,
  temporalAt,
  webhookSecret,
} from './api-fixture.js';

let api: ApiFixture;
let temporal: Client;
beforeAll(async () => {
  api = await ApiFixture.start();
  temporal = await openTemporal();
});
afterAll(async () => {
  await temporal.connection.close();
  await api.close();
});

const address = `/webhooks/sandbox/shop/${webhookSecret}`;

function event(resource: Record<string, unknown> & { id?: unknown }, rest: Record<string, unknown> = {}) {
  return {
    id: `WH-${randomUUID()}`,
    trigger_event: 'PAYMENT.AUTHORIZATION.VOIDED',
    resource_type: 'authorization',
    resource: { state: 'voided', ...resource },
    ...rest,
  };
}

async function deliver(body: unknown, options: CallOptions = {}, to = api, path = address) {
  return await to.call('POST', path, { apiKey: null, body, ...options });
}

async function journal(from = api) {
  return await from.db.selectFrom('webhook_events').selectAll().orderBy('id').execute();
}

async function settled(eventId: string, status: string) {
  return await until(
    async () => (await journal()).find((row) => row.event_id === eventId),
    (row) => row?.status === status,
    `event ${eventId} to be ${status}`,
  );
}

describe('case 22: a delivery that does not authenticate is refused and leaves no row', () => {
  beforeEach(async () => {
    await api.db.deleteFrom('webhook_events').execute();
  });

  test.each([
    ['a wrong secret', `/webhooks/sandbox/shop/${'x'.repeat(48)}`],
    ['the secret and one character', `${address}0`],
    ['the secret less one character', address.slice(0, -1)],
    ['the secret of another application', `/webhooks/sandbox/shop/${webhookSecret}-2`],
    ['another application', `/webhooks/sandbox/bookshop/${webhookSecret}`],
    ['another environment', `/webhooks/live/shop/${webhookSecret}`],
    ['an unknown application', `/webhooks/sandbox/nobody/${webhookSecret}`],
    ['an object’s own member for an application', `/webhooks/sandbox/constructor/${webhookSecret}`],
  ])('%s is 404, and looks like any other', async (_case, path) => {
    const answer = await deliver(event({ id: 'AUTH-1' }), {}, api, path);
    expect(answer.status).toBe(404);
    expect(answer.body).toEqual({
      type: 'urn:payments:problem:not-found',
      title: 'There is nothing here',
      status: 404,
    });
    expect(await journal()).toEqual([]);
  });

  test.each([
    ['no id', { trigger_event: 'X', resource: {} }],
    ['an id with spaces', { id: 'a b', trigger_event: 'X', resource: {} }],
    ['NUL in its id', { id: 'a\0b', trigger_event: 'X', resource: {} }],
    ['NUL in its type', { id: 'WH-1', trigger_event: 'a\0b', resource: {} }],
    ['no type', { id: 'WH-1', resource: {} }],
    ['two types that differ', { id: 'WH-1', trigger_event: 'A', event_type: 'B', resource: {} }],
    ['no resource', { id: 'WH-1', trigger_event: 'X' }],
    ['a list for a body', []],
    ['half a body', '{"id":"WH-1"'],
    ['bytes that are not UTF-8', Uint8Array.of(0x7b, 0xff, 0x7d)],
    ['a body nested 5,000 deep', '{"resource":'.repeat(5_000) + '1' + '}'.repeat(5_000)],
    ['nothing', ''],
  ])('%s is 400', async (_case, body) => {
    const answer = await deliver(body);
    expect(answer.status).toBe(400);
    expect(await journal()).toEqual([]);
  });

  test('more than 256 KiB is 413, a compressed body 415', async () => {
    expect((await deliver(event({ note: 'x'.repeat(300_000) }))).status).toBe(413);
    expect((await deliver(event({}), { headers: { 'content-encoding': 'gzip' } })).status).toBe(415);
    expect(await journal()).toEqual([]);
  });
});

describe('case 22: a signed delivery', () => {
  const webhookId = `WEBHOOK-${randomUUID()}`;
  let signing: ApiFixture;
  let signer: TestSigner;
  let stopCertificates: () => void;
  let certificates: string;

  beforeAll(async () => {
    let pem = '';
    const server = createServer((_request, response) => response.end(pem));
    await new Promise<void>((listening) => {
      server.listen(0, '127.0.0.1', listening);
    });
    certificates = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    stopCertificates = () => server.close();
    signer = await createTestSigner({ certificateAddress: `${certificates}/cert.pem`, webhookId });
    pem = signer.certificatePem;
    const applications = configuration('').applications.map((application) => ({
      ...application,
      baseUrl: certificates,
      webhookAuthentication: 'signature' as const,
    }));
    signing = await ApiFixture.start({ applications });
  });
  afterAll(async () => {
    await signing.close();
    stopCertificates();
  });

  const bytes = (body: unknown) => Buffer.from(JSON.stringify(body));

  test('is told to come again while the webhook is not registered', async () => {
    const body = bytes(event({ id: 'AUTH-1' }));
    const answer = await deliver(body, { headers: signer.sign(body) }, signing);
    expect(answer.status).toBe(503);
    expect(await journal(signing)).toEqual([]);
    await saveProviderWebhook(signing.db, {
      environment: 'sandbox',
      application: 'shop',
      webhookId,
      url: 'https://payments.example/webhooks',
    });
  });

  test.each([
    ['no signature', () => ({})],
    ['a missing header', (signed: Record<string, string>) => ({ ...signed, 'paypal-transmission-id': '' })],
    ['another time', (signed: Record<string, string>) => ({ ...signed, 'paypal-transmission-time': '2030' })],
    [
      'a weaker algorithm',
      (signed: Record<string, string>) => ({ ...signed, 'paypal-auth-algo': 'SHA1withRSA' }),
    ],
    [
      'garbage for a signature',
      (signed: Record<string, string>) => ({ ...signed, 'paypal-transmission-sig': 'AA==' }),
    ],
    [
      'a certificate from elsewhere (case 24)',
      (signed: Record<string, string>) => ({
        ...signed,
        'paypal-cert-url': 'http://169.254.169.254/cert.pem',
      }),
    ],
  ])('with %s is 401 and leaves no row', async (_case, forge) => {
    const body = bytes(event({ id: 'AUTH-1' }));
    const answer = await deliver(body, { headers: forge(signer.sign(body)) }, signing);
    expect(answer.status).toBe(401);
    expect(await journal(signing)).toEqual([]);
  });

  test('with one byte changed is 401 and leaves no row', async () => {
    const body = bytes(event({ id: 'AUTH-1' }));
    const headers = signer.sign(body);
    body[body.length - 2]! ^= 1;
    expect((await deliver(body, { headers }, signing)).status).toBe(401);
    expect(await journal(signing)).toEqual([]);
  });

  test('with white space that a parser would drop is genuine only as it was signed', async () => {
    const body = Buffer.from(JSON.stringify(event({ id: 'AUTH-1' }), undefined, 2));
    const headers = signer.sign(body);
    const rewritten = bytes(JSON.parse(body.toString()));
    expect((await deliver(rewritten, { headers }, signing)).status).toBe(401);
    expect((await deliver(body, { headers }, signing)).status).toBe(200);
    expect(await journal(signing)).toHaveLength(1);
  });
});

describe('an event that authenticates', () => {
  test('is journaled before it is acknowledged, without personal data', async () => {
    const body = event(
      {
        id: 'AUTH-UNKNOWN',
        amount: { total: '10.00', currency: 'USD' },
        payer: { payer_info: { email: 'payer@example.com' } },
        note: 'call payer@example.com',
        custom: 'a\0b\ud800',
        links: [{ rel: 'self', href: 'https://api.example/v1/x?token=EC-SECRET', method: 'GET' }],
      },
      { summary: 'From payer@example.com', '\0': 1 },
    );
    expect((await deliver(body)).status).toBe(200);
    const row = (await journal()).find(({ event_id }) => event_id === body.id);
    expect(row).toMatchObject({
      event_type: 'PAYMENT.AUTHORIZATION.VOIDED',
      resource: { kind: 'authorization', id: 'AUTH-UNKNOWN', state: 'voided' },
      resource_ids: ['AUTH-UNKNOWN'],
      deliveries: 1,
    });
    expect(row!.payload).toMatchObject({
      resource: { amount: { total: '10.00' }, custom: 'a\ufffdb\ufffd' },
    });
    expect(JSON.stringify(row)).not.toMatch(/payer@example|EC-SECRET/);
  });

  test('is parked while no payment is known for its resource, and dispatched once one is', async () => {
    const state = authorizedState();
    const body = event({ id: state.authorization!.authorizationId });
    await deliver(body);
    expect(await settled(body.id, 'parked')).toMatchObject({ payment_id: null });
    const id = await api.paymentWith(state);
    expect(await settled(body.id, 'applied')).toMatchObject({ payment_id: id, detail: 'signalled' });
    expect(await signalsOf(temporal, id)).toEqual([`providerNotified ${body.id}`]);
  });

  test('that tells nothing new wakes nobody', async () => {
    const state = authorizedState();
    const id = await api.paymentWith(state);
    const body = event({ id: state.authorization!.authorizationId, state: 'authorized' });
    await deliver(body);
    expect(await settled(body.id, 'applied')).toMatchObject({ payment_id: id, detail: 'nothing new' });
    expect(await signalsOf(temporal, id)).toEqual([]);
  });

  test('is parked while a call to the provider is in flight', async () => {
    const state = authorizedState();
    await api.paymentWith({
      ...state,
      status: 'voiding',
      openStep: {
        number: 3,
        step: { type: 'voidAuthorization', commandId: 'c' },
        phase: 'running',
        attempts: 0,
        looks: 0,
        since: 0,
        horizonAt: 0,
        nextAt: 0,
      },
    });
    const body = event({ id: state.authorization!.authorizationId });
    await deliver(body);
    await settled(body.id, 'parked');
  });

  test.each([
    ['a capture that was never made', 'capture', { id: 'CAP-GHOST', state: 'completed' }, 'conflict'],
    ['a refund', 'refund', { id: 'REF-1', state: 'completed' }, 'ignored'],
  ])('of %s after the payment was voided is recorded as %4$s', async (_case, type, resource, status) => {
    const state = authorizedState();
    const id = await api.paymentWith({ ...state, status: 'voided', released: true });
    const body = event(
      { ...resource, id: `${resource.id}-${randomUUID()}`, parent_payment: state.providerPaymentId },
      { resource_type: type, trigger_event: 'PAYMENT.CAPTURE.COMPLETED' },
    );
    expect((await deliver(body)).status).toBe(200);
    expect(await settled(body.id, status)).toMatchObject({ payment_id: id });
    expect(await signalsOf(temporal, id)).toEqual([]);
  });

  test('is set aside when the run has closed in the meantime', async () => {
    const state = authorizedState();
    const id = await api.paymentWith(state);
    await temporal.workflow.getHandle(runIdOf(id)).terminate();
    const body = event({ id: state.authorization!.authorizationId });
    await deliver(body);
    expect(await settled(body.id, 'ignored')).toMatchObject({ detail: 'late: the run has ended' });
  });
});

describe('case 9: the same event', () => {
  test('fifty times at once on two API processes is one row and one signal, always 2xx', async () => {
    const second = await ApiFixture.start({ databaseUrl: api.databaseUrl });
    const state = authorizedState();
    const id = await api.paymentWith(state);
    const body = event({ id: state.authorization!.authorizationId });
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => deliver(body, {}, i % 2 === 0 ? api : second)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await settled(body.id, 'applied')).toMatchObject({ deliveries: 50 });
    await second.close();
    expect(await signalsOf(temporal, id)).toEqual([`providerNotified ${body.id}`]);
  });

  test('again after it was applied changes nothing', async () => {
    const state = authorizedState();
    const id = await api.paymentWith(state);
    const body = event({ id: state.authorization!.authorizationId });
    await deliver(body);
    await settled(body.id, 'applied');
    expect((await deliver(body)).status).toBe(200);
    expect(await settled(body.id, 'applied')).toMatchObject({ deliveries: 2 });
    expect(await signalsOf(temporal, id)).toHaveLength(1);
  });
});

describe('cases 18 and 19: what a dispatcher left behind', () => {
  test('an event of a dispatcher that died with its lease is taken over when the lease ends', async () => {
    const state = authorizedState();
    const id = await api.paymentWith(state);
    const body = event({ id: state.authorization!.authorizationId });
    await api.db
      .insertInto('webhook_events')
      .values({
        environment: 'sandbox',
        application: 'shop',
        event_id: body.id,
        event_type: body.trigger_event,
        resource: JSON.stringify({ kind: 'authorization', id: body.resource.id, state: 'voided' }),
        resource_ids: [String(body.resource.id)],
        payload: '{}',
        status: 'dispatching',
        detail: null,
        payment_id: null,
        lease_until: new Date(0),
        status_at: new Date(0),
      })
      .execute();
    expect(await settled(body.id, 'applied')).toMatchObject({ payment_id: id });
    expect(await signalsOf(temporal, id)).toEqual([`providerNotified ${body.id}`]);
  });

  test('while Temporal is away events are taken all the same, and signalled by a process that reaches it', async () => {
    const state = authorizedState();
    const id = await api.paymentWith(state);
    const cutOff = await ApiFixture.start({
      databaseUrl: api.databaseUrl,
      temporal: temporalAt(closedAddress),
    });
    const body = event({ id: state.authorization!.authorizationId });
    expect((await deliver(body, {}, cutOff)).status).toBe(200);
    await until(
      async () => (await journal()).find((row) => row.event_id === body.id),
      (row) => row?.detail === 'the run could not be told yet',
      'the dispatch to be tried',
    );
    await cutOff.close();
    expect(await settled(body.id, 'applied')).toMatchObject({ payment_id: id });
    expect(await signalsOf(temporal, id)).toEqual([`providerNotified ${body.id}`]);
  });
});
