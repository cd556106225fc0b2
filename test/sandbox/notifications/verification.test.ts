import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { forAllTests } from '../../helpers/shared.js';
import { SandboxFixture } from '../sandbox-fixture.js';
import { WebhookReceiver, type ReceivedDelivery } from '../webhook-receiver.js';

const PATH = '/v1/notifications/verify-webhook-signature';

describe('the verification of a signature', () => {
  let webhookId: string;
  let delivery: ReceivedDelivery;
  const sandbox = forAllTests(() => SandboxFixture.start());
  const receiver = forAllTests(() => WebhookReceiver.start());
  beforeAll(async () => {
    const webhook = await sandbox.call('POST', '/v1/notifications/webhooks', {
      url: receiver.url,
      event_types: [{ name: '*' }],
    });
    webhookId = webhook.body.id;
    await sandbox.authorized({ transaction: { description: 'Größe 12 €, "quoted" \\ 😀' } });
    await vi.waitUntil(() => receiver.deliveries.length > 0, { timeout: 300_000 });
    delivery = receiver.deliveries[0] as ReceivedDelivery;
  });

  const fields = (changes: object = {}) => ({
    auth_algo: delivery.headers['paypal-auth-algo'],
    cert_url: delivery.headers['paypal-cert-url'],
    transmission_id: delivery.headers['paypal-transmission-id'],
    transmission_sig: delivery.headers['paypal-transmission-sig'],
    transmission_time: delivery.headers['paypal-transmission-time'],
    webhook_id: webhookId,
    ...changes,
  });
  const verify = async (body: string, headers: Record<string, string> = {}) => {
    const token = await sandbox.newToken();
    const answer = await sandbox.request('POST', PATH, body, {
      authorization: `Bearer ${token}`,
      ...headers,
    });
    return answer.status === 200 ? answer.body.verification_status : answer.body;
  };
  /** With the event's bytes as they were delivered, which a parser in between would not keep. */
  const withRaw = (raw: string, changes: object = {}) =>
    `${JSON.stringify(fields(changes)).slice(0, -1)},"webhook_event":${raw}}`;

  it('succeeds for the bytes that were delivered', async () => {
    expect(await verify(withRaw(delivery.raw.toString()))).toBe('SUCCESS');
    expect(await verify(JSON.stringify({ ...fields(), webhook_event: delivery.event }))).toBe('SUCCESS');
  });

  it('succeeds however the rest of the body is spaced, ordered and escaped', async () => {
    const raw = delivery.raw.toString();
    const rest = JSON.stringify(fields()).slice(1, -1);
    expect(await verify(`\n{ "webhook\\u005fevent" :\t${raw} ,\r\n ${rest}  }\n`)).toBe('SUCCESS');
    expect(await verify(`{"webhook_event":{"id":"other"},${rest},"webhook_event":${raw}}`)).toBe('SUCCESS');
  });

  it('fails for the same event in other bytes', async () => {
    const raw = delivery.raw.toString();
    const [first, ...others] = Object.entries(delivery.event);
    const changed = [
      JSON.stringify(delivery.event, null, 1),
      JSON.stringify(Object.fromEntries([...others, first as [string, unknown]])),
      raw.replace('"id"', '"\\u0069d"'),
      raw.replace(/"total":"\d/, '"total":"9'),
    ];
    for (const other of changed) {
      expect(other).not.toBe(raw);
      expect(await verify(withRaw(other))).toBe('FAILURE');
    }
  });

  it.each([
    ['another algorithm', { auth_algo: 'SHA1withRSA' }],
    ['another transmission', { transmission_id: 'other' }],
    ['another time', { transmission_time: '2020-01-01T00:00:00Z' }],
    ['another signature', { transmission_sig: 'AAAA' }],
    ['no webhook of the application', { webhook_id: 'UNKNOWN' }],
  ])('fails for %s', async (_, changes) => {
    expect(await verify(withRaw(delivery.raw.toString(), changes))).toBe('FAILURE');
  });

  it('fails for an application that the webhook does not belong to', async () => {
    await sandbox.request('PUT', '/admin/applications/other', { clientSecret: 'other' });
    const other = { authorization: `Bearer ${await sandbox.newToken('other', 'other')}` };
    expect(await verify(withRaw(delivery.raw.toString()), other)).toBe('FAILURE');
  });

  it('accepts its own certificate only, and never fetches another', async () => {
    let asked = 0;
    const server = createServer((_request, response) => {
      asked += 1;
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const cert_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/cert.pem`;
    expect(await verify(withRaw(delivery.raw.toString(), { cert_url }))).toBe('FAILURE');
    expect(asked).toBe(0);
    await new Promise((resolve) => server.close(resolve));
  });

  it('is refused with a missing or unknown field, or one of another type', async () => {
    const event = { webhook_event: delivery.event };
    for (const [field, change] of [
      ['webhook_id', { webhook_id: undefined }],
      ['webhook_event', { webhook_event: 'text' }],
      ['colour', { colour: 'red' }],
      ['transmission_sig', { transmission_sig: 7 }],
    ] as const) {
      const refused = await verify(JSON.stringify({ ...fields(), ...event, ...change }));
      expect(refused).toMatchObject({ name: 'VALIDATION_ERROR', details: [{ field }] });
    }
    expect(await verify('{"webhook_event":')).toMatchObject({ name: 'MALFORMED_REQUEST' });
  });
});
