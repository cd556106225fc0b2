import { beforeEach, describe, expect, it } from 'vitest';
import { EVENT_TYPE_NAMES } from '#sandbox/events/event-types.js';
import { forAllTests } from '../../helpers/shared.js';
import { eventually, SandboxFixture } from '../sandbox-fixture.js';
import { WebhookReceiver } from '../webhook-receiver.js';

const PATH = '/v1/notifications/simulate-event';
const EVENTS = '/v1/notifications/webhooks-events';

describe('a simulated event', () => {
  const sandbox = forAllTests(() => SandboxFixture.start({ dayLengthMs: 50 }));
  const receiver = forAllTests(() => WebhookReceiver.start());
  beforeEach(() => {
    receiver.deliveries.length = 0;
  });

  const simulate = (body: object) => sandbox.call('POST', PATH, body);
  const verify = async (webhook_id: string) => {
    const { headers, event } = receiver.deliveries[0]!;
    const { body } = await sandbox.call('POST', '/v1/notifications/verify-webhook-signature', {
      auth_algo: headers['paypal-auth-algo'],
      cert_url: headers['paypal-cert-url'],
      transmission_id: headers['paypal-transmission-id'],
      transmission_sig: headers['paypal-transmission-sig'],
      transmission_time: headers['paypal-transmission-time'],
      webhook_id,
      webhook_event: event,
    });
    return body.verification_status;
  };

  it('is delivered to an address, signed for the webhook WEBHOOK_ID', async () => {
    const answer = await simulate({
      url: receiver.url,
      event_type: 'PAYMENT.AUTHORIZATION.CREATED',
      resource_version: '1.0',
    });
    expect(answer).toMatchObject({
      status: 202,
      body: {
        event_type: 'PAYMENT.AUTHORIZATION.CREATED',
        trigger_event: 'PAYMENT.AUTHORIZATION.CREATED',
        resource_type: 'authorization',
        resource: { state: 'authorized', valid_until: expect.any(String) },
      },
    });
    await eventually(() => receiver.deliveries.length).toBe(1);
    expect(receiver.deliveries[0]?.event).toEqual(answer.body);
    expect(await verify('WEBHOOK_ID')).toBe('SUCCESS');
  });

  it('is delivered to a webhook that subscribes to it, signed for that one, and again until a 2xx', async () => {
    const { body: webhook } = await sandbox.call('POST', '/v1/notifications/webhooks', {
      url: `${receiver.url}?own`,
      event_types: [{ name: 'PAYMENT.SALE.REFUNDED' }],
    });
    receiver.answer = () => (receiver.deliveries.length < 3 ? 500 : 200);
    expect((await simulate({ webhook_id: webhook.id, event_type: 'PAYMENT.SALE.REFUNDED' })).status).toBe(
      202,
    );
    await eventually(() => receiver.deliveries.length).toBe(3);
    receiver.answer = () => 200;
    expect(await verify(webhook.id)).toBe('SUCCESS');
    const other = await simulate({ webhook_id: webhook.id, event_type: 'PAYMENT.SALE.DENIED' });
    expect(other.body.details).toMatchObject([{ field: 'event_type' }]);
  });

  it('is not found afterwards, and cannot be resent', async () => {
    const { body } = await simulate({ url: receiver.url, event_type: 'PAYMENT.CAPTURE.COMPLETED' });
    for (const path of [EVENTS, '/v1/notfications/webhooks-events']) {
      expect((await sandbox.call('GET', `${path}/${body.id}`)).status).toBe(404);
      expect((await sandbox.call('POST', `${path}/${body.id}/resend`, {})).status).toBe(404);
      expect((await sandbox.call('GET', path)).body.events).toEqual([]);
      expect((await sandbox.call('GET', `${path}?transaction_id=${body.resource.id}`)).body.events).toEqual(
        [],
      );
    }
    expect(await sandbox.violations()).toEqual([]);
  });

  it('exists for every type, with a resource of that type', async () => {
    for (const event_type of EVENT_TYPE_NAMES) {
      const { status, body } = await simulate({ url: receiver.url, event_type });
      expect([status, body.event_type]).toEqual([202, event_type]);
      expect(JSON.stringify(body.resource)).not.toContain('undefined');
      expect(body.resource.links[0].href).toContain(sandbox.url);
    }
    await eventually(() => new Set(receiver.deliveries.map(({ event }) => event.event_type)).size).toBe(
      EVENT_TYPE_NAMES.length,
    );
  });

  it.each([
    ['no destination', { event_type: 'PAYMENT.SALE.DENIED' }, 'webhook_id'],
    [
      'two destinations',
      { webhook_id: 'X', url: 'http://127.0.0.1:9/', event_type: 'PAYMENT.SALE.DENIED' },
      'webhook_id',
    ],
    ['an unknown type', { url: 'http://127.0.0.1:9/', event_type: 'NO.SUCH' }, 'event_type'],
    ['no address', { url: 'ftp://127.0.0.1', event_type: 'PAYMENT.SALE.DENIED' }, 'url'],
    [
      'another version',
      { url: 'http://127.0.0.1:9/', event_type: 'PAYMENT.SALE.DENIED', resource_version: '2.0' },
      'resource_version',
    ],
  ])('is refused with %s', async (_, body, field) => {
    expect((await simulate(body)).body).toMatchObject({ name: 'VALIDATION_ERROR', details: [{ field }] });
  });

  it('needs a webhook that exists', async () => {
    const answer = await simulate({ webhook_id: 'NOSUCHWEBHOOK', event_type: 'PAYMENT.SALE.DENIED' });
    expect(answer).toMatchObject({ status: 404, body: { name: 'INVALID_RESOURCE_ID' } });
  });
});
