import { verify, X509Certificate } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { forEachTest } from '../../helpers/shared.js';
import { eventually, SandboxFixture } from '../sandbox-fixture.js';
import { WebhookReceiver, type ReceivedDelivery } from '../webhook-receiver.js';

const CREATED = 'PAYMENT.AUTHORIZATION.CREATED';
const VOIDED = 'PAYMENT.AUTHORIZATION.VOIDED';

describe('a delivery with a fault', () => {
  let webhookId: string;
  const sandbox = forEachTest(() => SandboxFixture.start());
  const receiver = forEachTest(() => WebhookReceiver.start());
  beforeEach(async () => {
    const event_types = [{ name: CREATED }, { name: VOIDED }];
    const { body } = await sandbox.call('POST', '/v1/notifications/webhooks', {
      url: receiver.url,
      event_types,
    });
    webhookId = body.id;
  });

  const attempts = async () =>
    (await sandbox.request('GET', `/admin/deliveries?webhook=${webhookId}`)).body.deliveries;

  it('arrives several times at the same moment: one event, many transmissions', async () => {
    await sandbox.switchOnFault({ kind: 'duplicate_delivery', copies: 49 });
    const { authorizationId } = await sandbox.authorized();
    await eventually(() => receiver.deliveries).toHaveLength(50);
    expect(new Set(receiver.deliveries.map(({ event }) => event.id)).size).toBe(1);
    const ids = receiver.deliveries.map(({ headers }) => headers['paypal-transmission-id']);
    expect(new Set(ids).size).toBe(50);
    for (const delivery of receiver.deliveries.slice(0, 5))
      expect(await isSigned(delivery, webhookId)).toBe(true);
    await eventually(attempts).toMatchObject([
      { state: 'delivered', attempts: [{ number: 1, fault: 'duplicate_delivery', status: 200 }] },
    ]);
    await sandbox.void(authorizationId);
    await eventually(() => receiver.deliveries).toHaveLength(51);
  });

  it('arrives after the event that followed it', async () => {
    await sandbox.switchOnFault({ kind: 'reorder_deliveries', holdMs: 600_000, eventType: CREATED });
    const { authorizationId } = await sandbox.authorized();
    await eventually(attempts).toMatchObject([
      { state: 'pending', attemptCount: 0, postponedBy: 'reorder_deliveries', attempts: [] },
    ]);
    await sandbox.void(authorizationId);
    await eventually(() => receiver.typesOf(authorizationId)).toEqual([VOIDED, CREATED]);
  });

  it('waits over a restart for the event that is to overtake it', async () => {
    await sandbox.switchOnFault({ kind: 'reorder_deliveries', holdMs: 600_000, eventType: CREATED });
    const { authorizationId } = await sandbox.authorized();
    await eventually(attempts).toMatchObject([{ postponedBy: 'reorder_deliveries' }]);
    await sandbox.restart();
    await sandbox.void(authorizationId);
    await eventually(() => receiver.typesOf(authorizationId)).toEqual([VOIDED, CREATED]);
  });

  it('arrives when its time is up at the latest, even if no other event comes', async () => {
    await sandbox.switchOnFault({ kind: 'reorder_deliveries', holdMs: 300, times: null });
    const { authorizationId } = await sandbox.authorized();
    await eventually(() => receiver.typesOf(authorizationId)).toEqual([CREATED]);
  });

  it('arrives once, later, even if every delivery is delayed', async () => {
    await sandbox.switchOnFault({ kind: 'delay_delivery', delayMs: 300, times: null });
    const { authorizationId } = await sandbox.authorized();
    await eventually(() => receiver.typesOf(authorizationId)).toEqual([CREATED]);
    const [delivery] = await attempts();
    const [attempt] = delivery.attempts;
    expect(attempt.number).toBe(1);
    const waited = Date.parse(attempt.startedAt) - Date.parse(delivery.firstDueAt);
    expect(waited).toBeGreaterThanOrEqual(300);
  });

  it.each(['body', 'signature', 'webhook_id'])('does not match its signature: %s', async (part) => {
    await sandbox.configure({ dayLengthMs: 1_000 });
    await sandbox.switchOnFault({ kind: 'corrupt_delivery', part });
    receiver.answer = () => (receiver.deliveries.length === 1 ? 401 : 200);
    const { authorizationId } = await sandbox.authorized();
    await eventually(() => receiver.deliveries).toHaveLength(2);
    const [corrupt, repeat] = receiver.deliveries;
    expect(await isSigned(corrupt!, webhookId)).toBe(false);
    expect(await isSigned(repeat!, webhookId)).toBe(true);
    expect(repeat!.event.resource.id).toBe(authorizationId);
    const different = [...corrupt!.raw].filter((byte, at) => byte !== repeat!.raw[at]);
    expect(different).toHaveLength(part === 'body' ? 1 : 0);
    expect(corrupt!.raw.length).toBe(repeat!.raw.length);
    await eventually(attempts).toMatchObject([
      {
        attempts: [
          { number: 1, fault: 'corrupt_delivery', status: 401 },
          { number: 2, fault: null, status: 200 },
        ],
      },
    ]);
  });

  it('never arrives, and is shown as dropped', async () => {
    // Named, for the two are delivered side by side.
    await sandbox.switchOnFault({ kind: 'drop_delivery', eventType: CREATED });
    const { authorizationId } = await sandbox.authorized();
    await sandbox.void(authorizationId);
    await eventually(() => receiver.typesOf(authorizationId)).toEqual([VOIDED]);
    await eventually(attempts).toMatchObject([
      { eventType: VOIDED, state: 'delivered' },
      { eventType: CREATED, state: 'dropped', attempts: [{ failure: 'dropped', transmissionId: null }] },
    ]);
  });
});

async function isSigned({ headers, raw }: ReceivedDelivery, id: string): Promise<boolean> {
  const pem = await (await fetch(headers['paypal-cert-url'] as string)).text();
  const signed = [
    headers['paypal-transmission-id'],
    headers['paypal-transmission-time'],
    id,
    String(crc32(raw)),
  ].join('|');
  const signature = Buffer.from(headers['paypal-transmission-sig'] as string, 'base64');
  return verify('sha256', Buffer.from(signed), new X509Certificate(pem).publicKey, signature);
}
