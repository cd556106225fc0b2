import { beforeAll, describe, expect, it } from 'vitest';
import { againIfPaused } from '../helpers/again-if-paused.js';
import { dayLengthFor } from '../helpers/day-length.js';
import { startEngine } from '../helpers/engine.js';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import type { PaymentView } from '../helpers/order-service.js';

/** Half of one is the time that the policy has before the end, on a machine that does other work. */
const usualDayMs = 5_000;

interface HoldView extends PaymentView {
  readonly authorizations: readonly string[];
  readonly deadlines: PaymentView['deadlines'] &
    Readonly<Record<'reauthorizesAt' | 'capturesAt', string | null>>;
}

let dayLengthMs = usualDayMs;
const engine = forAllTests(() => startEngine({ approval: 'immediate' }));
beforeAll(async () => {
  dayLengthMs = await dayLengthFor(usualDayMs, () => hold({}));
  await engine.sandbox.configure({
    dayLengthMs,
    approval: 'immediate',
    reauthorizationId: 'new',
    reauthorizationTimes: 'many',
  });
});

async function hold(order: Record<string, unknown>): Promise<HoldView> {
  const { status, body } = await engine.orders.order(order);
  expect(status).toBe(201);
  return body as HoldView;
}

const show = async (id: string) => (await engine.orders.get(id)) as HoldView;

async function timelineOf(id: string): Promise<string[]> {
  const { data: entries } = await engine.orders.read<{ data: { event: string }[] }>(
    `/v1/payments/${id}/timeline`,
  );
  return entries.map(({ event }) => event);
}

async function callsTo(operation: string): Promise<number> {
  const calls = await engine.sandbox.calls('limit=500');
  return calls.filter((call) => call.operation === operation).length;
}

/** A machine that is paused for long misses the days on which something is due. */
function life(name: string, play: () => Promise<void>): void {
  it(name, () => againIfPaused(dayLengthMs / 4, play));
}

describe.concurrent('case 14: a hold whose honour period ends', () => {
  life(
    'is reauthorized as often as allowed, under ids that are followed, until the policy releases the rest',
    async () => {
      const first = await hold({ honourPolicy: { reauthorize: 'as_allowed' } });
      expect(first.deadlines.reauthorizesAt).toBe(first.deadlines.honourUntil);
      const reauthorized = await until(
        () => show(first.id),
        ({ authorizations }) => authorizations.length > 1,
        'another authorization',
      );
      expect(Date.parse(reauthorized.deadlines.honourUntil ?? '')).toBeGreaterThan(
        Date.parse(first.deadlines.honourUntil ?? ''),
      );
      expect(reauthorized.deadlines.captureUntil).toBe(first.deadlines.captureUntil);
      expect(reauthorized.deadlines.settlesAt).toBe(first.deadlines.settlesAt);

      const partly = await engine.orders.capture(first.id, { amount: { value: '40.00', currency: 'USD' } });
      expect(partly.body.capture.state).toBe('completed');
      const captured = await engine.orders.reaches(first.id, 'captured');
      const lines = await timelineOf(first.id);
      expect(captured.amounts).toMatchObject({ captured: { value: '40.00' }, released: { value: '60.00' } });
      const times = lines.filter((event) => event === 'authorizationRenewed').length;
      expect(times).toBeGreaterThan(2);
      expect(lines).toEqual(expect.arrayContaining(['captureWindowNearedEnd', 'settlementCameDue']));
      const movements = await engine.sandbox.booksOf(first.id);
      expect(movements.filter((movement) => movement.startsWith('capture'))).toEqual(['capture 4000']);
      expect(movements.at(-1)).toBe('release 6000');
      expect(movements.filter((movement) => movement.startsWith('hold'))).toHaveLength(times + 1);
    },
  );

  life('is captured before that end when the policy is capture', async () => {
    const { id, deadlines } = await hold({ honourPolicy: { action: 'capture' } });
    expect(deadlines.capturesAt).not.toBeNull();
    await engine.orders.reaches(id, 'captured');
    expect(await timelineOf(id)).toEqual([
      'authorizationGranted',
      'honourPeriodNearedEnd',
      'honourCaptureCameDue',
      'captureAnswered',
    ]);
  });

  life(
    'is reauthorized on request: too early is refused without a call, in time succeeds, and its id is followed',
    async () => {
      const { id } = await hold({ expiryPolicy: { action: 'expire' } });
      const soon = await engine.orders.reauthorize<{ code: string; currentState: string }>(id);
      expect(soon).toMatchObject({
        status: 409,
        body: { code: 'reauthorization_too_soon', currentState: 'authorized' },
      });
      await until(
        () => show(id),
        ({ allowedActions }) => allowedActions.includes('reauthorize'),
        'the end of the honour period',
      );
      const excessive = await engine.orders.reauthorize<{ errors: { pointer: string }[] }>(id, {
        amount: { value: '115.01', currency: 'USD' },
      });
      expect(excessive).toMatchObject({ status: 422, body: { errors: [{ pointer: '/amount' }] } });
      const inTime = await engine.orders.reauthorize(id, { amount: { value: '110.00', currency: 'USD' } });
      expect(inTime).toMatchObject({
        status: 200,
        body: { state: 'authorized', amounts: { capturable: { value: '110.00' } } },
      });
      const twice = await engine.orders.reauthorize(id);
      expect(twice.status).toBe(409);
      const last = (inTime.body as HoldView).authorizations.at(-1);
      const voided = await engine.orders.void(id);
      expect(voided.body.state).toBe('voided');
      expect((await show(id)).authorizations.at(-1)).toBe(last);
      expect(await engine.sandbox.booksOf(id)).toEqual([
        'hold 10000',
        'release 10000',
        'hold 11000',
        'release 11000',
      ]);
    },
  );

  life('is reauthorized once when the answer is lost', async () => {
    await engine.sandbox.fault({
      clientId: engine.sandbox.clientId,
      operation: 'authorization.reauthorize',
      kind: 'drop_reply',
      // The holds of the tests beside this one are reauthorized at about the same time.
      times: 3,
    });
    const { id } = await hold({ honourPolicy: { action: 'none', reauthorize: 'once' } });
    await until(
      () => show(id),
      ({ authorizations }) => authorizations.length === 2,
      'the reauthorized hold',
    );
    const released = await engine.orders.void(id);
    expect(released.body.state).toBe('voided');
    const movements = await engine.sandbox.booksOf(id);
    expect(movements).toEqual(['hold 10000', 'release 10000', 'hold 10000', 'release 10000']);
  });
});

describe('case 15: the rest of a hold after a capture', () => {
  it('is released by its own operation, and what was captured stays', async () => {
    const { id } = await hold({});
    const whole = await engine.orders.release<{ currentState: string }>(id);
    expect(whole).toMatchObject({ status: 409, body: { currentState: 'authorized' } });
    await engine.orders.capture(id, { amount: { value: '70.00', currency: 'USD' } });
    const released = await engine.orders.release(id);
    expect(released).toMatchObject({
      status: 200,
      body: {
        state: 'captured',
        amounts: { captured: { value: '70.00' }, released: { value: '30.00' } },
        allowedActions: ['refund'],
      },
    });
    expect(await engine.sandbox.booksOf(id)).toEqual(['hold 10000', 'capture 7000', 'release 3000']);
    const voids = await callsTo('authorization.void');
    expect((await engine.orders.release(id)).status).toBe(409);
    expect(await callsTo('authorization.void')).toBe(voids);
  });
});
