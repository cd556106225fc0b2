import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { messagesPerRun } from '#runs';
import { type Engine, startEngine } from '../helpers/engine.js';
import { until } from '../helpers/until.js';
import { type SubscriptionView, SubscriptionStage } from './subscription-stage.js';

let engine: Engine;
let stage: SubscriptionStage;
beforeAll(async () => {
  // A month takes two seconds.
  engine = await startEngine({ dayLengthMs: 66 });
  stage = new SubscriptionStage(engine);
});
afterAll(async () => {
  await engine.close();
});

const calls = async (operation: string): Promise<number> =>
  (await engine.sandbox.calls('text=/v1/payments/billing&limit=100')).filter(
    (call) => call.operation === operation,
  ).length;

describe('a plan', () => {
  it('is made and activated once, even if the same content is ordered again', async () => {
    const terms = { name: `Weekly ${randomUUID()}` };
    const [one, other] = await Promise.all([stage.plan(terms), stage.plan(terms)]);
    expect([one.status, other.status]).toEqual([201, 201]);
    expect(one.body).toMatchObject({ state: 'active' });
    expect(other.body.id).toBe(one.body.id);
    const third = await stage.plan(terms);
    expect(third.body.id).toBe(one.body.id);
    expect(await calls('plan.create')).toBe(1);
    expect((await stage.plan({ ...terms, regular: { frequency: 'WEEK', cycles: 4, amount: '1.00' } })).body.id)
      .not.toBe(one.body.id); // prettier-ignore
  });

  it('is found again by our reference when the answer to its creation is lost', async () => {
    await engine.sandbox.fault({ operation: 'plan.create', kind: 'drop_reply' });
    const before = await calls('plan.create');
    expect(await stage.plan()).toMatchObject({ status: 201, body: { state: 'active' } });
    expect(await calls('plan.create')).toBe(before + 1);
  });

  it('is active as soon as a lookup shows it, even if its activation is never answered', async () => {
    await engine.sandbox.fault({ operation: 'plan.update', kind: 'drop_reply', times: null });
    expect(await stage.plan()).toMatchObject({ status: 201, body: { state: 'active' } });
    await engine.sandbox.clearFaults();
  });

  it('is refused with the field that is wrong, and no call is made', async () => {
    const before = await calls('plan.create');
    const wrong = [
      [{ regular: { frequency: 'MONTH', cycles: 12, amount: '10.001' } }, '/regular/amount'],
      [{ regular: { frequency: 'MONTH', cycles: 1_000, amount: '10.00' } }, '/regular/cycles'],
      [{ regular: { frequency: 'MONTH', interval: 13, cycles: 1, amount: '10.00' } }, '/regular/interval'],
      [{ regular: { frequency: 'FORTNIGHT', cycles: 1, amount: '10.00' } }, '/regular/frequency'],
      [{ currency: 'JPY', setupFee: '1.5' }, '/setupFee'],
    ] as const;
    for (const [terms, pointer] of wrong) {
      const { status, body } = await stage.plan(terms);
      expect(status).toBe(422);
      expect(body).toMatchObject({ errors: [{ pointer }] });
    }
    expect(await calls('plan.create')).toBe(before);
  });
});

describe('a subscription', () => {
  it('is refused for an unknown plan, a past start or no date, and no call is made', async () => {
    const { id } = (await stage.plan()).body;
    const before = await calls('agreement.create');
    const wrong = [
      [`plan_${'0'.repeat(36)}`, {}, '/planId'],
      [id, { startDate: '2020-01-01T00:00:00Z' }, '/startDate'],
      [id, { startDate: 'tomorrow' }, '/startDate'],
    ] as const;
    for (const [planId, order, pointer] of wrong) {
      expect(await stage.order(planId, order)).toMatchObject({
        status: 422,
        body: { errors: [{ pointer }] },
      });
    }
    expect(await calls('agreement.create')).toBe(before);
  });

  it('is suspended, reactivated and cancelled on request, and when this is done elsewhere', async () => {
    const { id: planId } = (await stage.plan({ regular: { frequency: 'YEAR', cycles: 5, amount: '9.00' } }))
      .body;
    const { id, state } = await stage.subscribed(planId, { startDate: inAWhile() });
    expect(state).toBe('active');

    const key = randomUUID();
    const suspended = await stage.post<SubscriptionView>(
      `/v1/subscriptions/${id}/suspend`,
      { note: 'Away' },
      key,
    );
    expect(suspended).toMatchObject({ status: 200, body: { state: 'suspended' } });
    // The same request again is the same answer, not another suspension.
    expect((await stage.post(`/v1/subscriptions/${id}/suspend`, { note: 'Away' }, key)).status).toBe(200);
    expect(await stage.post(`/v1/subscriptions/${id}/suspend`, {})).toMatchObject({
      status: 409,
      body: { currentState: 'suspended', allowedActions: ['reactivate', 'cancel'] },
    });
    expect(await stage.post(`/v1/subscriptions/${id}/reactivate`, {})).toMatchObject({
      status: 200,
      body: { state: 'active' },
    });
    expect(await calls('agreement.suspend')).toBe(1);

    await stage.changeElsewhere(id, 'suspend');
    await stage.reaches(id, 'suspended');
    await stage.changeElsewhere(id, 're-activate');
    await stage.reaches(id, 'active');
    const cancelled = await stage.post(`/v1/subscriptions/${id}/cancel`, { note: 'Enough' });
    expect(cancelled).toMatchObject({ status: 200, body: { state: 'cancelled', allowedActions: [] } });
    expect(await stage.booked(id)).toEqual([]);
  });

  it('is active once, even if its payer never returns and the answer to its execution is lost', async () => {
    const { id: planId } = (
      await stage.plan({ setupFee: '5.00', regular: { frequency: 'YEAR', cycles: 1, amount: '9.00' } })
    ).body;
    const { body } = await stage.order(planId, { startDate: inAWhile() });
    // Of every execution: the first may be one that was tried before the payer had approved.
    await engine.sandbox.fault({ operation: 'agreement.execute', kind: 'drop_reply', times: null });
    await stage.approve(body);
    await stage.reaches(body.id, 'active');
    expect(await stage.booked(body.id)).toEqual([500]);
    await engine.sandbox.clearFaults();
  });

  it('continues in another run after a thousand messages, with its state and no loss', async () => {
    const { id: planId } = (await stage.plan({ regular: { frequency: 'YEAR', cycles: 5, amount: '9.00' } }))
      .body;
    const { id } = await stage.subscribed(planId, { startDate: inAWhile() });
    await Promise.all([stage.continueAsNewByHints(id, messagesPerRun), stage.changeElsewhere(id, 'suspend')]);
    await stage.reaches(id, 'suspended');
    expect(await stage.post(`/v1/subscriptions/${id}/cancel`, {})).toMatchObject({
      status: 200,
      body: { state: 'cancelled' },
    });
  });

  it('lapses when nobody approves, and ends without a call when it is cancelled before', async () => {
    const { id: planId } = (await stage.plan()).body;
    const [silent, unwanted] = await Promise.all([
      stage.order(planId, { startDate: inAWhile(), approvalTimeoutSeconds: 1 }),
      stage.order(planId, { startDate: inAWhile() }),
    ]);
    // It is not cancelled for as long as it is tried whether its payer has approved.
    const cancelled = await until(
      () => stage.post<{ currentState?: string }>(`/v1/subscriptions/${unwanted.body.id}/cancel`, {}),
      ({ body }) => body.currentState !== 'executing',
      'the subscription to be cancelled',
    );
    expect(cancelled).toMatchObject({ status: 200, body: { state: 'cancelled' } });
    await stage.reaches(silent.body.id, 'lapsed');
  });
});

describe('case 29: agreements with failures', () => {
  it('waits for a pending one, and is cancelled when the setup fee fails', async () => {
    const terms = {
      setupFee: '5.00',
      setupFeeFailure: 'cancel',
      regular: { frequency: 'YEAR', cycles: 1, amount: '9.00' },
    };
    const { id: planId } = (await stage.plan(terms)).body;
    // Every execution: an earlier one may be tried before the payer has approved.
    await engine.sandbox.fault({
      operation: 'agreement.execute',
      kind: 'pending',
      settlesAs: 'completed',
      afterMs: 1_000,
      times: null,
    });
    const pending = await stage.subscribed(planId, { startDate: inAWhile() });
    expect((await stage.reaches(pending.id, 'active')).outstanding.value).toBe('0.00');
    expect(await stage.booked(pending.id)).toEqual([500]);

    await engine.sandbox.clearFaults();
    await engine.sandbox.fault({ operation: 'agreement.execute', kind: 'decline', times: null });
    const { id } = await stage.subscribed(planId, { startDate: inAWhile() });
    await engine.sandbox.clearFaults();
    expect((await stage.reaches(id, 'cancelled')).reason).toContain('setup fee');
    expect(await stage.booked(id)).toEqual([]);
    // Said only when reads no longer lag, and show no payment.
    await stage.until(
      id,
      ({ reason }) => reason?.endsWith('its setup fee was not paid.') === true,
      'to say why',
    );
  });

  it('bills monthly for a year, with failed and recovered payments, each cycle once, and expires', async () => {
    const { id: planId } = (await stage.plan()).body;
    // Until it was seen: how many cycles that takes is up to the machine.
    await engine.sandbox.fault({ operation: 'agreement.cycle', kind: 'decline', nth: 2, times: null });
    const { id } = await stage.subscribed(planId);
    const failing = await stage.until(
      id,
      ({ failedPayments }) => failedPayments > 0,
      'to have a payment failed',
    );
    expect(failing).toMatchObject({
      state: 'active',
      outstanding: { value: `${10 * failing.failedPayments}.00` },
    });
    await engine.sandbox.clearFaults();
    const recovered = await stage.until(id, ({ outstanding }) => outstanding.value === '0.00', 'to recover');
    expect(recovered.failedPayments).toBe(0);

    const expired = await stage.reaches(id, 'expired');
    expect(expired).toMatchObject({ cyclesCompleted: 12, cyclesRemaining: 0 });
    const booked = await stage.booked(id);
    expect(booked.reduce((sum, minor) => sum + minor)).toBe(12_000);
    const { payments, collected } = await stage.payments(id);
    expect(collected.value).toBe('120.00');
    expect(payments.some(({ state }) => state === 'failed')).toBe(true);
    expect(payments).toHaveLength(12);
    expect(new Set(payments.map((payment) => payment.id)).size).toBe(12);
    expect(payments.map((payment) => payment.id)).not.toContain(await stage.agreementOf(id));
    // 100 for 12 reads when this was written: some seven a read, for the signal, the workflow task, and the timer.
    expect(await stage.historyEvents(id)).toBeLessThan(20 + 9 * (await stage.readsOf(id)));
  });

  it('finds billed cycles without events, and loses nothing', async () => {
    await engine.sandbox.fault({ kind: 'drop_delivery', times: null });
    await engine.sandbox.fault({ operation: 'event.list', kind: 'status', status: 503, times: null });
    const { id: planId } = (await stage.plan({ regular: { frequency: 'MONTH', cycles: 3, amount: '10.00' } }))
      .body;
    const { id } = await stage.subscribed(planId);
    expect(await stage.reaches(id, 'expired')).toMatchObject({ cyclesCompleted: 3 });
    expect((await stage.payments(id)).collected.value).toBe('30.00');
    expect(await stage.booked(id)).toEqual([1_000, 1_000, 1_000]);
    await engine.sandbox.clearFaults();
  });
});

/** Nothing is billed while a test changes the agreement. */
function inAWhile(): string {
  return new Date(Date.now() + 600_000).toISOString();
}
