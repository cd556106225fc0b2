import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually, SandboxFixture } from '../sandbox-fixture.js';
import { WebhookReceiver } from '../webhook-receiver.js';
import * as odd from './odd-receiver.js';

const CREATED = 'PAYMENT.AUTHORIZATION.CREATED';

describe('a receiver', () => {
  let sandbox: SandboxFixture;
  const stops: (() => Promise<void>)[] = [];
  beforeEach(async () => {
    sandbox = await SandboxFixture.start({ deliveryTimeoutMs: 2_000 });
  });
  afterEach(async () => {
    await sandbox.stop();
    await Promise.all(stops.splice(0).map((stop) => stop()));
  });

  const started = async (behaviour: Parameters<typeof odd.OddReceiver.start>[0]) => {
    const receiver = await odd.OddReceiver.start(behaviour);
    stops.push(() => receiver.stop());
    return receiver;
  };
  const subscribe = async (url: string): Promise<string> =>
    (await sandbox.call('POST', '/v1/notifications/webhooks', { url, event_types: [{ name: CREATED }] })).body
      .id;
  const deliveriesTo = async (webhookId: string) =>
    (await sandbox.request('GET', `/admin/deliveries?webhook=${webhookId}`)).body.deliveries;

  it.each([
    ['never answers', odd.never, { status: null, failure: 'timeout' }],
    ['never ends its headers', odd.endlessHeaders, { status: null, failure: 'timeout' }],
    ['sends a megabyte of headers', odd.hugeHeaders, { status: null, failure: 'not_http' }],
    ['does not speak HTTP', odd.notHttp, { status: null, failure: 'not_http' }],
    ['hangs up', odd.hangUp, { status: null, failure: 'reset' }],
  ])('that %s has not acknowledged', async (_, behaviour, outcome) => {
    const receiver = await started(behaviour);
    const webhookId = await subscribe(receiver.url);
    await sandbox.authorized();
    await eventually(() => deliveriesTo(webhookId)).toMatchObject([
      { state: 'pending', attempts: [{ number: 1, ...outcome, durationMs: expect.any(Number) }] },
    ]);
  });

  it.each([
    ['never ends its body', odd.endlessBody],
    ['answers with ten megabytes', odd.tenMegabytes],
  ])('that %s has acknowledged, and only a little of its answer is read', async (_, behaviour) => {
    const receiver = await started(behaviour);
    const webhookId = await subscribe(receiver.url);
    await sandbox.authorized();
    await eventually(() => deliveriesTo(webhookId)).toMatchObject([
      { state: 'delivered', attempts: [{ status: 200, failure: null }] },
    ]);
    const [{ attempts }] = await deliveriesTo(webhookId);
    // One read of a socket beyond the bound, at most.
    expect(attempts[0].responseBytes).toBeLessThan(16_384 + 65_537);
    await eventually(() => receiver.openAtOnce).toBe(0);
  });

  it('that redirects is not followed', async () => {
    const receiver = await started((response) => response.writeHead(307, { location: '/inside' }).end());
    const webhookId = await subscribe(receiver.url);
    await sandbox.authorized();
    await eventually(() => deliveriesTo(webhookId)).toMatchObject([{ lastStatus: 307, state: 'pending' }]);
    expect(receiver.paths).not.toContain('/inside');
  });

  it('that is not there is shown as refusing', async () => {
    const gone = await odd.OddReceiver.start(odd.never);
    const { url } = gone;
    await gone.stop();
    const webhookId = await subscribe(url);
    await sandbox.authorized();
    await eventually(() => deliveriesTo(webhookId)).toMatchObject([
      { attempts: [{ status: null, failure: 'refused' }] },
    ]);
  });

  it('that is down has a bounded number of attempts, and delays nobody else', async () => {
    const dead = await started(odd.never);
    const live = await WebhookReceiver.start();
    stops.push(() => live.stop());
    const deadId = await subscribe(dead.url);
    // A backlog for the dead one alone, then one event for both. Its attempts last until the service closes.
    await sandbox.restart({ deliveryTimeoutMs: 600_000 });
    for (let count = 0; count < 30; count += 1) await sandbox.authorized();
    await eventually(() => dead.openAtOnce).toBe(8);
    await subscribe(live.url);
    const { authorizationId } = await sandbox.authorized();
    await eventually(() => live.typesOf(authorizationId)).toEqual([CREATED]);
    expect(dead.mostOpenAtOnce).toBe(8);
    expect(
      (await deliveriesTo(deadId)).filter((one: { attemptCount: number }) => one.attemptCount > 0),
    ).toHaveLength(8);
  });

  it('of many events at once gets each of them once', async () => {
    const live = await WebhookReceiver.start();
    stops.push(() => live.stop());
    const webhookId = await subscribe(live.url);
    await Promise.all(Array.from({ length: 60 }, () => sandbox.authorized()));
    await eventually(() => live.deliveries).toHaveLength(60);
    expect(new Set(live.deliveries.map(({ event }) => event.id)).size).toBe(60);
    await eventually(async () =>
      (await deliveriesTo(webhookId)).filter(({ state }: { state: string }) => state === 'delivered'),
    ).toHaveLength(60);
  });
});
