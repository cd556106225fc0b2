import { verify, X509Certificate } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { forEachTest } from '../../helpers/shared.js';
import { eventually, SandboxFixture } from '../sandbox-fixture.js';
import { WebhookReceiver, type ReceivedDelivery } from '../webhook-receiver.js';

describe('deliveries', () => {
  const sandbox = forEachTest(() => SandboxFixture.start({ deliveryTimeoutMs: 2_000 }));
  const receiver = forEachTest(() => WebhookReceiver.start());

  const subscribe = async (...names: string[]): Promise<string> => {
    const event_types = names.map((name) => ({ name }));
    const { body } = await sandbox.call('POST', '/v1/notifications/webhooks', {
      url: receiver.url,
      event_types,
    });
    return body.id;
  };

  it('report every transition of an authorization, from the payer’s approval to the final capture', async () => {
    await subscribe('*');
    const { paymentId, authorizationId } = await sandbox.authorized();
    const { body: capture } = await sandbox.capture(authorizationId, '40.00');
    await sandbox.void(authorizationId);
    await eventually(() => receiver.deliveries).toHaveLength(4);
    expect(receiver.typesOf(paymentId)).toEqual(['PAYMENTS.PAYMENT.CREATED']);
    expect(receiver.typesOf(capture.id)).toEqual(['PAYMENT.CAPTURE.COMPLETED']);
    expect(new Set(receiver.typesOf(authorizationId))).toEqual(
      new Set(['PAYMENT.AUTHORIZATION.CREATED', 'PAYMENT.AUTHORIZATION.VOIDED']),
    );
  });

  it('carry the event under the interface’s and the public names, with the misspelt links of section 4', async () => {
    await subscribe('PAYMENT.AUTHORIZATION.CREATED');
    const { authorizationId } = await sandbox.authorized();
    await eventually(() => receiver.deliveries).toHaveLength(1);
    const { event } = receiver.deliveries[0]!;
    const address = `${sandbox.url}/v1/notfications/webhooks-events/${event.id}`;
    expect(event).toMatchObject({
      id: expect.stringMatching(/^WH-/),
      create_time: expect.any(String),
      resource_type: 'authorization',
      trigger_event: 'PAYMENT.AUTHORIZATION.CREATED',
      event_type: 'PAYMENT.AUTHORIZATION.CREATED',
      summary: expect.any(String),
      resource: { id: authorizationId, state: 'authorized' },
      links: [
        { rel: 'self', method: 'GET', href: address },
        { rel: 'resend', method: 'POST', href: `${address}/resend` },
      ],
    });
    for (const spelling of ['notfications', 'notifications']) {
      const found = await sandbox.call('GET', `/v1/${spelling}/webhooks-events/${event.id}`);
      expect(found.body).toEqual(event);
    }
  });

  it('reach a webhook only with the types it subscribes to', async () => {
    await subscribe('PAYMENT.AUTHORIZATION.VOIDED');
    const { authorizationId } = await sandbox.authorized();
    await sandbox.void(authorizationId);
    await eventually(() => receiver.deliveries).toHaveLength(1);
    expect(receiver.deliveries[0]!.event.event_type).toBe('PAYMENT.AUTHORIZATION.VOIDED');
  });

  it('are signed over the raw bytes with the certificate that the service serves', async () => {
    const webhookId = await subscribe('PAYMENT.AUTHORIZATION.CREATED');
    await sandbox.authorized();
    await eventually(() => receiver.deliveries).toHaveLength(1);
    const [delivery] = receiver.deliveries;
    expect(await isSigned(delivery!, delivery!.raw, webhookId)).toBe(true);
    const changed = Buffer.from(delivery!.raw);
    changed[20]! ^= 1;
    expect(await isSigned(delivery!, changed, webhookId)).toBe(false);
    expect(await isSigned(delivery!, delivery!.raw, 'OTHERWEBHOOK')).toBe(false);

    const before = delivery!.headers['paypal-cert-url'];
    await sandbox.restart();
    await sandbox.authorized();
    await eventually(() => receiver.deliveries).toHaveLength(2);
    expect(receiver.deliveries[1]!.headers['paypal-cert-url']).toBe(before);
  });

  it.each([
    ['an error', 500],
    ['a redirect, which is not followed', 307],
    ['no answer', null],
  ])('are repeated after %s, with the same event under a new transmission', async (_, status) => {
    await sandbox.configure({ dayLengthMs: 1000 });
    receiver.answer = () => (receiver.deliveries.length < 3 ? status : 204);
    await subscribe('PAYMENT.AUTHORIZATION.CREATED');
    await sandbox.authorized();
    await eventually(() => receiver.deliveries).toHaveLength(3);
    expect(new Set(receiver.deliveries.map(({ event }) => event.id)).size).toBe(1);
    expect(new Set(receiver.deliveries.map(({ raw }) => raw.toString())).size).toBe(1);
    const transmissions = receiver.deliveries.map(({ headers }) => headers['paypal-transmission-id']);
    expect(new Set(transmissions).size).toBe(3);
  });

  it('are given up after 25 repeats', async () => {
    await sandbox.configure({ dayLengthMs: 1 });
    receiver.answer = () => 503;
    await subscribe('PAYMENT.AUTHORIZATION.CREATED');
    await sandbox.authorized();
    await eventually(() => receiver.deliveries).toHaveLength(26);
    receiver.answer = () => 200;
    const { authorizationId } = await sandbox.authorized();
    await eventually(() => receiver.typesOf(authorizationId)).toHaveLength(1);
    expect(receiver.deliveries).toHaveLength(27);
  });

  it('survive a restart of the service between two attempts', async () => {
    receiver.answer = () => 500;
    await subscribe('PAYMENT.AUTHORIZATION.CREATED');
    const { authorizationId } = await sandbox.authorized();
    await eventually(() => receiver.deliveries).toHaveLength(1);
    await sandbox.restart();
    receiver.answer = () => 200;
    await sandbox.sql('UPDATE deliveries SET due_at = now()');
    await eventually(() => receiver.typesOf(authorizationId)).toHaveLength(2);
    const state = () => sandbox.sql('SELECT state, attempts, last_status FROM deliveries');
    await eventually(state).toEqual([{ state: 'delivered', attempts: 2, last_status: 200 }]);
  });

  it('are continued by another process when the process that made them dies', async () => {
    await subscribe('PAYMENT.AUTHORIZATION.CREATED');
    receiver.answer = () => 500;
    const { authorizationId } = await sandbox.authorized();
    const statuses = () => sandbox.sql('SELECT last_status FROM deliveries');
    await eventually(statuses).toEqual([{ last_status: 500 }]);
    receiver.answer = () => 200;
    // What a kill in the middle of an attempt leaves: claimed, no outcome, the lease still running.
    await sandbox.sql(
      "UPDATE deliveries SET last_status = NULL, due_at = now() + interval '500 milliseconds'",
    );
    await eventually(() => receiver.typesOf(authorizationId)).toHaveLength(2);
  });

  it('are made once more on request, under both spellings', async () => {
    const webhookId = await subscribe('PAYMENT.AUTHORIZATION.CREATED');
    await sandbox.authorized();
    await eventually(() => receiver.deliveries).toHaveLength(1);
    const { id } = receiver.deliveries[0]!.event;
    const { status, body } = await sandbox.call('POST', `/v1/notfications/webhooks-events/${id}/resend`);
    expect(status).toBe(202);
    expect(body.id).toBe(id);
    await sandbox.call('POST', `/v1/notifications/webhooks-events/${id}/resend`, {
      webhook_ids: [webhookId],
    });
    await eventually(() => receiver.deliveries).toHaveLength(3);
    expect(new Set(receiver.deliveries.map(({ event }) => event.id))).toEqual(new Set([id]));
    const unknown = await sandbox.call('POST', `/v1/notifications/webhooks-events/${id}/resend`, {
      webhook_ids: ['NOSUCHWEBHOOK'],
    });
    expect(unknown.body.details[0].field).toBe('webhook_ids');
  });

  it('can be dropped by a fault; the event is still found by search', async () => {
    await subscribe('*');
    await sandbox.switchOnFault({
      kind: 'drop_delivery',
      eventType: 'PAYMENT.AUTHORIZATION.CREATED',
      times: null,
    });
    const { authorizationId } = await sandbox.authorized();
    await sandbox.void(authorizationId);
    await eventually(() => receiver.typesOf(authorizationId)).toEqual(['PAYMENT.AUTHORIZATION.VOIDED']);
    const list = await sandbox.call(
      'GET',
      `/v1/notifications/webhooks-events?transaction_id=${authorizationId}`,
    );
    expect(list.body.events.map(({ event_type }: { event_type: string }) => event_type)).toEqual([
      'PAYMENT.AUTHORIZATION.VOIDED',
      'PAYMENT.AUTHORIZATION.CREATED',
    ]);
  });

  it('are listed page by page, by type and by time', async () => {
    for (let count = 0; count < 3; count += 1) await sandbox.authorized();
    const seen: string[] = [];
    let query: string | undefined = 'page_size=4';
    while (query !== undefined) {
      const page: EventPage = await listEvents(sandbox, query);
      seen.push(...page.events.map(({ id }) => id));
      query = page.links.find(({ rel }) => rel === 'next')?.href.split('?')[1];
    }
    expect(seen).toHaveLength(6);
    expect(new Set(seen).size).toBe(6);
    expect((await listEvents(sandbox, 'event_type=PAYMENT.AUTHORIZATION.CREATED')).count).toBe(3);
    expect((await listEvents(sandbox, 'end_time=2020-01-01T00:00:00Z')).count).toBe(0);
  });

  async function isSigned({ headers }: ReceivedDelivery, body: Buffer, webhookId: string): Promise<boolean> {
    expect(headers['paypal-auth-algo']).toBe('SHA256withRSA');
    const address = headers['paypal-cert-url'] as string;
    expect(new URL(address).origin).toBe(sandbox.url);
    const certificate = new X509Certificate(await (await fetch(address)).text());
    expect(Date.parse(certificate.validTo)).toBeGreaterThan(Date.now());
    const signed = [
      headers['paypal-transmission-id'],
      headers['paypal-transmission-time'],
      webhookId,
      String(crc32(body)),
    ].join('|');
    const signature = Buffer.from(headers['paypal-transmission-sig'] as string, 'base64');
    return verify('sha256', Buffer.from(signed), certificate.publicKey, signature);
  }
});

interface EventPage {
  events: { id: string }[];
  count: number;
  links: { rel: string; href: string }[];
}

async function listEvents(sandbox: SandboxFixture, query: string): Promise<EventPage> {
  return (await sandbox.call('GET', `/v1/notfications/webhooks-events?${query}`)).body;
}
