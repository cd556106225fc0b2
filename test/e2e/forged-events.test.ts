import { randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { collidedBody } from '../helpers/collided-body.js';
import { startEngine } from '../helpers/engine.js';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { inboxRow } from './inbox.js';
import { type InterceptedDelivery, InterceptedDeliveries } from './intercepted-deliveries.js';

let deliveries: InterceptedDeliveries;
let stop: () => void;

/** Signed deliveries, which an attacker who knows the secret address holds back, alters and sends on. */
const engine = forAllTests(() =>
  startEngine({
    approval: 'immediate',
    // A repair of the webhook would end the interception.
    reconciles: 'never',
    // It reads the provider for contested events.
    sweeps: 'often',
    patience: { firstPollMs: 900_000, longestPollMs: 900_000 },
  }),
);
beforeAll(async () => {
  ({ deliveries, stop } = await InterceptedDeliveries.start(engine));
});
afterEach(async () => await engine.sandbox.clearFaults());
afterAll(() => {
  stop();
});

interface Captured {
  readonly id: string;
  readonly captureId: string;
}

/** A payment that has ended. */
async function captured(): Promise<Captured> {
  const { body } = await engine.orders.order({ capturePolicy: { mode: 'automatic' } });
  const { captures } = await engine.orders.reaches(body.id, 'captured');
  return { id: body.id, captureId: captures[0]?.id ?? '' };
}

interface Refunded extends Captured {
  readonly refundId: string;
  readonly genuine: InterceptedDelivery;
}

/** The provider's dashboard gives 10.00 back, and nothing but the event reports it. */
async function refundedElsewhere(): Promise<Refunded> {
  const payment = await captured();
  const refundId = await engine.sandbox.refundElsewhere(payment.captureId, '10.00');
  const genuine = await deliveries.take('PAYMENT.CAPTURE.REFUNDED', refundId);
  return { ...payment, refundId, genuine };
}

/** An event of a capture's, with the checksum, the transmission and, unless changed, the id of a genuine one. */
function forgedOver(
  { headers, body, event }: InterceptedDelivery,
  { captureId, type }: { readonly captureId: string; readonly type: string },
  change: Record<string, unknown> = {},
) {
  const forged = collidedBody(body, {
    id: event.id,
    event_type: type,
    trigger_event: type,
    resource_type: 'capture',
    resource: { id: captureId, state: 'completed', amount: { total: '100.00', currency: 'USD' } },
    ...change,
  });
  expect(crc32(forged)).toBe(crc32(body));
  return { headers, body: forged };
}

/** What the engine knows already of the payment's own capture, under the id of the event that reports the refund. */
const nothingNew = ({ genuine, captureId }: Refunded, change: Record<string, unknown> = {}) =>
  forgedOver(genuine, { captureId, type: 'PAYMENT.CAPTURE.COMPLETED' }, change);

/** The refund is told, of as much as the provider's books say, and no other one. */
async function tellsTheRefund({ id, refundId }: Refunded): Promise<void> {
  const { refunds } = await until(
    () => engine.orders.get(id),
    (payment) => payment.refunds.some(({ state }) => state === 'completed'),
    `the refund of ${id} to be told`,
  );
  expect(refunds).toMatchObject([{ providerRefundId: refundId, amount: { value: '10.00' } }]);
  expect(await engine.sandbox.booksOf(id)).toEqual(['hold 10000', 'capture 10000', 'refund 1000']);
}

const rowReaches = async ({ event }: InterceptedDelivery, status: string) =>
  await until(
    () => inboxRow(engine, event.id),
    (row) => row.status === status,
    `the event to be ${status}`,
  );

const asTheProviderShowsIt = ({ refundId }: Refunded) => ({
  event_type: 'PAYMENT.CAPTURE.REFUNDED',
  resource: { kind: 'refund', id: refundId },
  contradictions: 1,
});

describe('case 34: a forged body with the checksum and the id of an authentic event', () => {
  it('that comes first and has no news does not hide the refund', async () => {
    const refunded = await refundedElsewhere();
    expect(await deliveries.sendOn(nothingNew(refunded))).toBe(200);
    await rowReaches(refunded.genuine, 'applied');
    expect(await deliveries.sendOn(refunded.genuine)).toBe(200);
    await tellsTheRefund(refunded);
    expect(await rowReaches(refunded.genuine, 'applied')).toMatchObject(asTheProviderShowsIt(refunded));
  });

  it('that comes after it undoes nothing, however often both come again', async () => {
    const refunded = await refundedElsewhere();
    expect(await deliveries.sendOn(refunded.genuine)).toBe(200);
    await rowReaches(refunded.genuine, 'applied');
    expect(await deliveries.sendOn(nothingNew(refunded))).toBe(200);
    const { shown_at } = await until(
      () => inboxRow(engine, refunded.genuine.event.id),
      (row) => row.status === 'applied' && row.shown_at !== null,
      'the provider to be asked',
    );
    for (const delivery of [nothingNew(refunded), refunded.genuine, nothingNew(refunded)])
      expect(await deliveries.sendOn(delivery)).toBe(200);
    await tellsTheRefund(refunded);
    // What the provider has shown it need not show again.
    expect(await rowReaches(refunded.genuine, 'applied')).toMatchObject({
      shown_at,
      deliveries: 5,
      contradictions: 3,
    });
  });

  it('under another event id takes the transmission, and the authentic event still takes effect', async () => {
    const refunded = await refundedElsewhere();
    expect(await deliveries.sendOn(nothingNew(refunded, { id: `WH-${randomUUID()}` }))).toBe(200);
    expect(await deliveries.sendOn(refunded.genuine)).toBe(200);
    await tellsTheRefund(refunded);
    expect(await rowReaches(refunded.genuine, 'applied')).toMatchObject(asTheProviderShowsIt(refunded));
  });

  it('stays listed while the provider is down, and is dispatched afterwards', async () => {
    const refunded = await refundedElsewhere();
    await engine.sandbox.fault({ operation: 'event.get', kind: 'status', status: 503, times: null });
    expect(await deliveries.sendOn(nothingNew(refunded))).toBe(200);
    expect(await deliveries.sendOn(refunded.genuine)).toBe(200);
    await until(
      () => engine.sandbox.calls('limit=100'),
      (calls) => calls.some(({ operation, status }) => operation === 'event.get' && status === 503),
      'a read of the provider that finds nothing',
    );
    const { waiting } = await engine.orders.read<{ waiting: object[] }>('/v1/webhook-inbox');
    expect(waiting).toMatchObject([{ state: 'contested', count: 1 }]);
    await engine.sandbox.clearFaults();
    await tellsTheRefund(refunded);
  });

  it('that the provider does not show makes the engine read what either body names', async () => {
    const refunded = await refundedElsewhere();
    await engine.sandbox.fault({ operation: 'event.get', kind: 'status', status: 404, times: null });
    expect(await deliveries.sendOn(nothingNew(refunded))).toBe(200);
    await rowReaches(refunded.genuine, 'applied');
    expect(await deliveries.sendOn(refunded.genuine)).toBe(200);
    await tellsTheRefund(refunded);
    await rowReaches(refunded.genuine, 'contested');
    await engine.sandbox.clearFaults();
    await engine.db
      .updateTable('webhook_events')
      .set({ due_at: new Date(0) })
      .where('event_id', '=', refunded.genuine.event.id)
      .execute();
    await rowReaches(refunded.genuine, 'applied');
  });

  it('that names another payment’s capture neither hides a chargeback nor changes the other payment', async () => {
    const [payment, other] = await Promise.all([captured(), captured()]);
    const type = 'PAYMENT.CAPTURE.REVERSED';
    await engine.sandbox.chargeBack(payment.captureId);
    const genuine = await deliveries.take(type, payment.captureId);
    expect(await deliveries.sendOn(forgedOver(genuine, { captureId: other.captureId, type }))).toBe(200);
    await rowReaches(genuine, 'applied');
    expect(await deliveries.sendOn(genuine)).toBe(200);
    const { amounts } = await until(
      () => engine.orders.get(payment.id),
      ({ refunds }) => refunds.some(({ state }) => state === 'completed'),
      'the chargeback to be told',
    );
    expect(amounts.reversed?.value).toBe('100.00');
    // What was said of the other one counts as unknown until a read after the outcome horizon finds nothing, and no more.
    const { amounts: others, refunds } = await engine.orders.get(other.id);
    expect(others.reversed?.value ?? 'unknown').toBe('unknown');
    expect(refunds.filter(({ state }) => state === 'completed')).toEqual([]);
  });
});
