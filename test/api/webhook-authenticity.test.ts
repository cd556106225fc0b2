import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { saveProviderWebhook } from '#database/events';
import { type TestSigner, createTestSigner } from '#payments-client/testing';
import { forAllTests } from '../helpers/shared.js';
import { waitingForLocks } from '../helpers/waiting-for-locks.js';
import { ApiFixture, configuration, webhookSecret } from './api-fixture.js';
import { deliver, event, journalOf, webhookAddress } from './deliveries.js';

const api = forAllTests(() => ApiFixture.start());

const bytes = (body: unknown) => Buffer.from(JSON.stringify(body));

describe('case 22: a delivery that does not authenticate is refused and leaves no row', () => {
  beforeEach(async () => {
    await api.db.deleteFrom('webhook_events').execute();
  });

  test.each([
    ['a wrong secret', `/webhooks/sandbox/shop/${'x'.repeat(48)}`],
    ['the secret and one character', `${webhookAddress}0`],
    ['the secret less one character', webhookAddress.slice(0, -1)],
    ['the secret of another application', `/webhooks/sandbox/shop/${webhookSecret}-2`],
    ['another application', `/webhooks/sandbox/bookshop/${webhookSecret}`],
    ['another environment', `/webhooks/live/shop/${webhookSecret}`],
    ['an unknown application', `/webhooks/sandbox/nobody/${webhookSecret}`],
    ['an object’s own member for an application', `/webhooks/sandbox/constructor/${webhookSecret}`],
  ])('%s is 404, and looks like any other 404', async (_case, path) => {
    const answer = await deliver(api, event({ id: 'AUTH-1' }), { to: path });
    expect(answer.status).toBe(404);
    expect(answer.body).toEqual({
      type: 'urn:payments:problem:not-found',
      title: 'Not found',
      status: 404,
      code: 'not_found',
      requestId: answer.headers.get('x-request-id'),
    });
    expect(await journalOf(api)).toEqual([]);
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
    const answer = await deliver(api, body);
    expect(answer.status).toBe(400);
    expect(await journalOf(api)).toEqual([]);
  });

  test('more than 256 KiB is 413, a compressed body 415', async () => {
    expect((await deliver(api, event({ note: 'x'.repeat(300_000) }))).status).toBe(413);
    expect((await deliver(api, event({}), { headers: { 'content-encoding': 'gzip' } })).status).toBe(415);
    expect(await journalOf(api)).toEqual([]);
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

  test('is asked to come again while the webhook is not registered', async () => {
    const body = bytes(event({ id: 'AUTH-1' }));
    const answer = await deliver(signing, body, { headers: signer.sign(body) });
    expect(answer.status).toBe(503);
    expect(await journalOf(signing)).toEqual([]);
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
    const answer = await deliver(signing, body, { headers: forge(signer.sign(body)) });
    expect(answer.status).toBe(401);
    expect(await journalOf(signing)).toEqual([]);
  });

  test('with one byte changed is 401 and leaves no row', async () => {
    const body = bytes(event({ id: 'AUTH-1' }));
    const headers = signer.sign(body);
    body[body.length - 2]! ^= 1;
    expect((await deliver(signing, body, { headers })).status).toBe(401);
    expect(await journalOf(signing)).toEqual([]);
  });

  test('with white space that a parser would drop is authentic only as it was signed', async () => {
    const body = Buffer.from(JSON.stringify(event({ id: 'AUTH-1' }), undefined, 2));
    const headers = signer.sign(body);
    const rewritten = bytes(JSON.parse(body.toString()));
    expect((await deliver(signing, rewritten, { headers })).status).toBe(401);
    expect((await deliver(signing, body, { headers })).status).toBe(200);
    expect(await journalOf(signing)).toHaveLength(1);
  });

  test('is accepted while many forged ones wait for the database', async () => {
    const body = bytes(event({ id: 'AUTH-1' }));
    const [first, second] = [signer.sign(body), signer.sign(body)];
    expect((await deliver(signing, body, { headers: first })).status).toBe(200);
    const forge = async () => {
      const headers = { ...signer.sign(body), 'paypal-transmission-time': '2030' };
      return (await deliver(signing, body, { headers })).status;
    };
    const { flood } = await signing.db.transaction().execute(async (transaction) => {
      await sql`lock table provider_webhooks in access exclusive mode`.execute(transaction);
      const flood = Promise.all(Array.from({ length: 100 }, forge));
      await expect.poll(() => waitingForLocks(signing.db)).toBeGreaterThan(0);
      expect((await deliver(signing, body, { headers: second })).status).toBe(200);
      return { flood };
    });
    expect(new Set(await flood)).toEqual(new Set([401]));
  });
});
