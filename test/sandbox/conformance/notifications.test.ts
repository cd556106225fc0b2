import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { forAllTests } from '../../helpers/shared.js';
import { eventually } from '../sandbox-fixture.js';
import { WebhookReceiver, type ReceivedDelivery } from '../webhook-receiver.js';
import { ConformanceFixture } from './conformance-fixture.js';
import { refusal, sdk, type SdkAnswer } from './sdk.js';

const CREATED = { name: 'PAYMENT.AUTHORIZATION.CREATED' };
const VOIDED = { name: 'PAYMENT.AUTHORIZATION.VOIDED' };
const WEBHOOK = 'notification.webhook';
const EVENT = 'notification.webhookEvent';

describe('paypal-rest-sdk, notifications', () => {
  let webhook: SdkAnswer;
  const conformance = forAllTests(() => ConformanceFixture.start());
  const receiver = forAllTests(() => WebhookReceiver.start());
  beforeEach(async () => {
    webhook = await sdk(`${WEBHOOK}.create`, { url: receiver.url, event_types: [CREATED, VOIDED] });
  });
  afterEach(async () => {
    for (const { id } of (await sdk(`${WEBHOOK}.list`))['webhooks']) await sdk(`${WEBHOOK}.del`, id);
  });

  /** The delivery that tells of a new authorization. */
  async function delivery(): Promise<ReceivedDelivery> {
    const { authorizationId } = await conformance.sandbox.authorized();
    const find = () => receiver.deliveries.find(({ event }) => event.resource.id === authorizationId);
    await eventually(() => find() !== undefined).toBe(true);
    return find()!;
  }

  it('creates, reads, lists, replaces and deletes a webhook', async () => {
    expect(webhook.httpStatusCode).toBe(201);
    const found = await sdk(`${WEBHOOK}.get`, webhook['id']);
    expect(found['event_types']).toHaveLength(2);
    expect(found['links'].length).toBeGreaterThan(0);
    const listed = await sdk(`${WEBHOOK}.list`);
    expect(listed['webhooks'].map(({ id }: { id: string }) => id)).toEqual([webhook['id']]);
    const change = [
      { op: 'replace', path: '/url', value: `${receiver.url}/moved` },
      { op: 'replace', path: '/event_types', value: [{ name: 'PAYMENT.SALE.REFUNDED' }] },
    ];
    const replaced = await sdk(`${WEBHOOK}.replace`, webhook['id'], change);
    expect(replaced).toMatchObject({ httpStatusCode: 200, url: `${receiver.url}/moved` });
    const { event_types } = await sdk(`${WEBHOOK}.eventTypes`, webhook['id']);
    expect(event_types).toMatchObject([{ name: 'PAYMENT.SALE.REFUNDED', description: expect.any(String) }]);
    expect((await sdk(`${WEBHOOK}.del`, webhook['id'])).httpStatusCode).toBe(204);
    expect((await refusal(`${WEBHOOK}.get`, webhook['id'])).status).toBe(404);
  });

  it('is refused a second webhook with the same address', async () => {
    const { status, body } = await refusal(`${WEBHOOK}.create`, {
      url: receiver.url,
      event_types: [CREATED],
    });
    expect([status, body['name']]).toEqual([400, 'WEBHOOK_URL_ALREADY_EXISTS']);
  });

  it('lists every existing event type', async () => {
    const { event_types } = await sdk('notification.webhookEventType.list');
    const names = event_types.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining([CREATED.name, VOIDED.name, 'BILLING.PLAN.CREATED']));
  });

  it('searches events, reads one, and has it delivered again', async () => {
    const { event } = await delivery();
    const found = await sdk(`${EVENT}.list`, {
      page_size: 10,
      start_time: new Date(Date.now() - 3_600_000).toISOString().replace(/\.\d+Z/, 'Z'),
      end_time: new Date(Date.now() + 60_000).toISOString().replace(/\.\d+Z/, 'Z'),
    });
    expect(found['count']).toBe(found['events'].length);
    expect(found['events'].map(({ id }: { id: string }) => id)).toContain(event.id);
    expect(await sdk(`${EVENT}.get`, event.id)).toMatchObject({
      event_type: CREATED.name,
      resource: event.resource,
    });
    const before = receiver.deliveries.length;
    const resent = await sdk(`${EVENT}.resend`, event.id);
    expect(resent).toMatchObject({ httpStatusCode: 202, id: event.id });
    await eventually(() => receiver.deliveries.slice(before).map(({ event }) => event.id)).toContain(
      event.id,
    );
  });

  it('gets the documented name for an unknown event', async () => {
    for (const verb of ['get', 'resend']) {
      const { status, body } = await refusal(`${EVENT}.${verb}`, 'abracadabra');
      expect([verb, status, body['name']]).toEqual([verb, 404, 'INVALID_RESOURCE_ID']);
    }
  });

  it('verifies what was delivered, and nothing that was changed', async () => {
    const { headers, raw } = await delivery();
    const verify = (body: unknown, id = webhook['id']) => sdk(`${EVENT}.verify`, { ...headers }, body, id);
    expect((await verify(raw.toString()))['verification_status']).toBe('SUCCESS');
    const forged = JSON.parse(raw.toString());
    forged.resource.amount.total = '1.00';
    expect((await verify(forged))['verification_status']).toBe('FAILURE');
    const other = await sdk(`${WEBHOOK}.create`, { url: `${receiver.url}/other`, event_types: [VOIDED] });
    expect((await verify(raw.toString(), other['id']))['verification_status']).toBe('FAILURE');
  });

  it('gets and verifies an event by its delivery', async () => {
    const { raw } = await delivery();
    // The one verb whose answer is a truth instead of a body.
    expect(await sdk(`${EVENT}.getAndVerify`, raw.toString())).toBe(true);
  });
});
