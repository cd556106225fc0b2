import { beforeEach, describe, expect, it } from 'vitest';
import { nextDeliveryAttempt } from '#sandbox/clock/instants.js';
import { forEachTest } from '../../helpers/shared.js';
import { eventually, SandboxFixture } from '../sandbox-fixture.js';
import { WebhookReceiver } from '../webhook-receiver.js';

const CREATED = 'PAYMENT.AUTHORIZATION.CREATED';

interface Attempt {
  number: number;
  startedAt: string;
  transmissionId: string;
}

describe('the attempts of a delivery', () => {
  let webhookId: string;
  const sandbox = forEachTest(() => SandboxFixture.start());
  const receiver = forEachTest(() => WebhookReceiver.start());
  beforeEach(async () => {
    const { body } = await sandbox.call('POST', '/v1/notifications/webhooks', {
      url: `${receiver.url}?secret=unguessable`,
      event_types: [{ name: CREATED }],
    });
    webhookId = body.id;
  });

  const list = async (query = `webhook=${webhookId}`) =>
    (await sandbox.request('GET', `/admin/deliveries?${query}`)).body.deliveries;

  it('are 26 over three days of the service, none before its time, the last one at the end', async () => {
    const dayLengthMs = 700;
    await sandbox.configure({ dayLengthMs });
    receiver.answer = () => 503;
    await sandbox.authorized();
    await eventually(() => list()).toMatchObject([{ state: 'abandoned', attemptCount: 26, lastStatus: 503 }]);
    const [{ attempts, firstDueAt }] = await list();
    expect(attempts.map(({ number }: Attempt) => number)).toEqual(
      Array.from({ length: 26 }, (_, at) => at + 1),
    );
    for (const { number, startedAt } of (attempts as Attempt[]).slice(1)) {
      const due = nextDeliveryAttempt(new Date(firstDueAt), number - 1, dayLengthMs)!;
      expect(Date.parse(startedAt)).toBeGreaterThanOrEqual(due.getTime());
    }
    const last = nextDeliveryAttempt(new Date(firstDueAt), 25, dayLengthMs)!;
    expect(last.getTime() - Date.parse(firstDueAt)).toBe(3 * dayLengthMs);
    expect(receiver.deliveries).toHaveLength(26);
  });

  it('name the transmission that the receiver saw, and neither its address nor any body', async () => {
    receiver.answer = () => 500;
    await sandbox.authorized();
    await eventually(() => list()).toMatchObject([{ attempts: [{ status: 500 }] }]);
    const text = JSON.stringify(await list());
    expect(text).toContain(receiver.deliveries[0]!.headers['paypal-transmission-id']);
    expect(text).not.toMatch(/unguessable|127\.0\.0\.1|secret/);
  });

  it('show one whose process died, and the one that replaced it', async () => {
    receiver.answer = () => 500;
    await sandbox.authorized();
    await eventually(() => list()).toMatchObject([{ attempts: [{ status: 500 }] }]);
    receiver.answer = () => 200;
    // What a kill in the middle of the attempt leaves: claimed, no outcome, the lease about to end.
    await sandbox.sql(
      'UPDATE delivery_attempts SET status = NULL, duration_ms = NULL, transmission_id = NULL',
    );
    await sandbox.sql('UPDATE deliveries SET last_status = NULL, due_at = now()');
    await eventually(() => list()).toMatchObject([
      {
        state: 'delivered',
        attempts: [
          { number: 1, status: null, durationMs: null },
          { number: 2, status: 200, durationMs: expect.any(Number) },
        ],
      },
    ]);
  });

  it('end when the webhook is deleted', async () => {
    receiver.answer = () => 500;
    await sandbox.authorized();
    await eventually(() => list()).toMatchObject([{ state: 'pending', attempts: [{ status: 500 }] }]);
    await sandbox.call('DELETE', `/v1/notifications/webhooks/${webhookId}`);
    await eventually(() => list()).toMatchObject([{ state: 'abandoned' }]);
  });

  it('end when the webhook is deleted at the moment of the event', async () => {
    receiver.answer = () => 500;
    await sandbox.authorized();
    await eventually(() => list()).toMatchObject([{ attempts: [{ status: 500 }] }]);
    await sandbox.sql(`DELETE FROM webhooks WHERE id = '${webhookId}'`);
    await sandbox.sql('UPDATE deliveries SET due_at = now()');
    await eventually(() => list()).toMatchObject([
      { state: 'abandoned', attempts: [{}, { failure: 'webhook_deleted', transmissionId: null }] },
    ]);
  });

  it('are found by event, webhook, application and state, page by page', async () => {
    const authorized = [];
    for (let count = 0; count < 3; count += 1) authorized.push(await sandbox.authorized());
    await eventually(() => list('state=delivered')).toHaveLength(3);
    const all = await list();
    expect(all.map(({ resourceId }: { resourceId: string }) => resourceId)).toEqual(
      authorized.map(({ authorizationId }) => authorizationId).toReversed(),
    );
    expect(await list(`event=${all[1].eventId}`)).toEqual([all[1]]);
    expect(await list('limit=1')).toEqual([all[0]]);
    expect(await list(`limit=1&before=${all[0].id}`)).toEqual([all[1]]);
    expect(await list('clientId=shop&state=delivered')).toEqual(all);
    expect(await list('clientId=other')).toEqual([]);
    expect(await list('state=pending')).toEqual([]);
    expect(await list('webhook=NOSUCHWEBHOOK')).toEqual([]);
  });

  it.each([
    ['event=%00', 'event'],
    ['webhook=a%27b', 'webhook'],
    ['state=lost', 'state'],
    ['limit=0', 'limit'],
    ['limit=1000000', 'limit'],
    ['before=1e30', 'before'],
    ['colour=red', 'colour'],
    ['limit=1&limit=2', 'limit'],
  ])('are refused with an invalid query: %s', async (query, field) => {
    const { status, body } = await sandbox.request('GET', `/admin/deliveries?${query}`);
    expect([status, body.details[0].field]).toEqual([400, field]);
  });
});
