import { beforeAll, describe, expect, it } from 'vitest';
import { againIfPaused } from '../helpers/again-if-paused.js';
import { dayLengthFor } from '../helpers/day-length.js';
import { startEngine } from '../helpers/engine.js';
import { NotificationReceiver } from '../helpers/notification-receiver.js';
import type { PaymentView } from '../helpers/order-service.js';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';

/** A policy acts within the last one of 29 of them. */
const usualDayMs = 2_000;

let dayLengthMs = usualDayMs;
const engine = forAllTests(() => startEngine({ approval: 'immediate' }));
const told = forAllTests(() => NotificationReceiver.start());
beforeAll(async () => {
  dayLengthMs = await dayLengthFor(usualDayMs, () => engine.orders.order());
  await engine.sandbox.configure({ dayLengthMs, approval: 'immediate' });
  await engine.orders.post('/v1/notification-endpoints', crypto.randomUUID(), { url: told.url });
});

const usd = (value: string) => ({ value, currency: 'USD' });
const silent = { honourPolicy: { action: 'none' }, expiryPolicy: { action: 'expire' } };

/** 60.00 of 100.00 are captured, and the provider decides on them so many days later. */
async function partPending(
  order: Record<string, unknown>,
  days: number,
  settlesAs: 'completed' | 'denied' = 'completed',
): Promise<PaymentView> {
  const { id } = (await engine.orders.order({ ...silent, ...order })).body;
  const { state } = await engine.db
    .selectFrom('payments')
    .select('state')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  await engine.sandbox.fault({
    kind: 'pending',
    operation: 'authorization.capture',
    paymentId: (state as { readonly providerPaymentId?: string }).providerPaymentId,
    settlesAs,
    afterMs: days * dayLengthMs,
  });
  const { body } = await engine.orders.capture(id, { amount: usd('60.00') });
  expect(body).toMatchObject({ capture: { state: 'pending' }, payment: { state: 'capturing' } });
  expect(body.payment).toMatchObject({
    amounts: { pending: usd('60.00'), capturable: usd('40.00') },
    allowedActions: expect.arrayContaining(['capture', 'void', 'release']) as string[],
  });
  return body.payment;
}

/** A machine that is paused for long misses the days on which something is due. */
function life(name: string, play: () => Promise<void>): void {
  it(name, () => againIfPaused(dayLengthMs / 4, play));
}

const toldOf = async (id: string, end: string) =>
  await until(
    () => Promise.resolve(told.typesAbout(id)),
    (types) => types.includes(end),
    `${end} to be told`,
  );

const ended = (id: string, state: string) => engine.orders.reaches(id, state);

describe.concurrent('a part of a hold stays pending to the end of the window', () => {
  life('and the rest is captured on day 28, after a warning, if that is the policy', async () => {
    const { id } = await partPending({ expiryPolicy: { action: 'capture' } }, 31);
    expect(await ended(id, 'captured')).toMatchObject({
      warning: 'capture_window_ending',
      amounts: { captured: usd('100.00'), released: usd('0.00') },
    });
    expect(await engine.sandbox.booksOf(id)).toEqual(['hold 10000', 'capture 4000', 'capture 6000']);
    expect(await toldOf(id, 'payment.captured')).toEqual([
      'payment.authorized',
      'payment.hold_expiring',
      'payment.captured',
    ]);
  });

  life('and the rest is given back on day 28, if that is the policy', async () => {
    const { id, deadlines } = await partPending({ expiryPolicy: { action: 'void' } }, 31);
    const captured = await ended(id, 'captured');
    expect(captured).toMatchObject({ amounts: { captured: usd('60.00'), released: usd('40.00') } });
    expect(await engine.sandbox.booksOf(id)).toEqual(['hold 10000', 'release 4000', 'capture 6000']);
    const release = (await engine.sandbox.movementsOf(id)).find(({ kind }) => kind === 'release');
    expect(Date.parse(release?.createdAt ?? '')).toBeLessThan(Date.parse(deadlines.captureUntil ?? ''));
  });

  life('and the rest is captured at the ordered instant', async () => {
    const at = new Date(Date.now() + 6 * dayLengthMs).toISOString();
    const { id } = await partPending({ capturePolicy: { mode: 'at', at } }, 31);
    await ended(id, 'captured');
    expect(await engine.sandbox.booksOf(id)).toEqual(['hold 10000', 'capture 4000', 'capture 6000']);
  });

  life('and the rest is captured in the honour period, if that is the policy', async () => {
    const { id } = await partPending({ honourPolicy: { action: 'capture' } }, 31);
    await ended(id, 'captured');
    expect(await engine.sandbox.booksOf(id)).toEqual(['hold 10000', 'capture 4000', 'capture 6000']);
  });
});

describe.concurrent('a part of a hold is pending', () => {
  it('and the rest can be captured, and no more than that', async () => {
    const { id } = await partPending({}, 8);
    const tooMuch = await engine.orders.capture(id, { amount: usd('40.01') });
    expect(tooMuch).toMatchObject({
      status: 422,
      body: { errors: [{ detail: 'At most 40.00 USD can be captured.' }] },
    });
    expect(await engine.orders.capture(id)).toMatchObject({
      status: 201,
      body: { capture: { state: 'completed' }, payment: { state: 'capturing' } },
    });
    expect(await ended(id, 'captured')).toMatchObject({ amounts: { captured: usd('100.00') } });
    expect(await engine.sandbox.booksOf(id)).toEqual(['hold 10000', 'capture 4000', 'capture 6000']);
  });

  it('and can be captured again with nothing lost when it is denied after the rest was captured', async () => {
    const { id } = await partPending({}, 8, 'denied');
    await engine.orders.capture(id);
    const partly = await ended(id, 'partially_captured');
    expect(partly).toMatchObject({ amounts: { captured: usd('40.00'), capturable: usd('60.00') } });
    expect((await engine.orders.capture(id)).body.payment.state).toBe('captured');
    expect(await engine.sandbox.booksOf(id)).toEqual(['hold 10000', 'capture 4000', 'capture 6000']);
  });

  it.each([
    ['completed', 'captured', [], ['release 4000', 'capture 6000']],
    ['denied', 'voided', ['payment.capture_failed'], ['release 4000', 'release 6000']],
  ] as const)(
    'and the rest can be released; the part is %s, the payment %s',
    async (as, end, news, books) => {
      const { id } = await partPending({}, 8, as);
      expect(await engine.orders.release(id)).toMatchObject({
        status: 200,
        body: {
          state: 'capturing',
          amounts: { pending: usd('60.00'), capturable: usd('0.00'), released: usd('40.00') },
          deadlines: { captureUntil: null },
        },
      });
      expect(await engine.orders.capture(id)).toMatchObject({ status: 409 });
      await ended(id, end);
      expect(await engine.sandbox.booksOf(id)).toEqual(['hold 10000', ...books]);
      const types = await toldOf(id, `payment.${end}`);
      expect(types).toEqual(['payment.authorized', ...news, `payment.${end}`]);
    },
  );
});
