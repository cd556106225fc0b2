import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { startEngine } from '../helpers/engine.js';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { shutGate } from './gate.js';
import { type SubscriptionView, SubscriptionStage } from './subscription-stage.js';

const engine = forAllTests(() =>
  startEngine({
    patience: { outcomeHorizonMs: 6_000, firstLookMs: 200, firstRetryMs: 200, reviewAfterMs: 12_000 },
  }),
);
const stage = new SubscriptionStage(engine);
afterEach(async () => {
  await engine.sandbox.clearFaults();
  await engine.sandbox.configure({ saleOutcome: 'completed' });
});

interface ShownAgreement {
  readonly agreement_details: { readonly outstanding_balance: { readonly value: string } };
}

const terms = { autoBillsOutstanding: false, regular: { frequency: 'YEAR', cycles: 5, amount: '9.00' } };
const lost = { operation: 'agreement.bill-balance', kind: 'status', status: 500 };

async function subscribed(more: Record<string, unknown> = {}): Promise<string> {
  const { id: planId } = (await stage.plan({ ...terms, ...more })).body;
  const startDate = new Date(Date.now() + 600_000).toISOString();
  return (await stage.subscribed(planId, { startDate })).id;
}

async function owingItsFee(): Promise<string> {
  await engine.sandbox.fault({ operation: 'agreement.execute', kind: 'decline' });
  return await subscribed({ setupFee: '5.00' });
}

async function owes(id: string, value: string): Promise<void> {
  await stage.until(id, ({ outstanding }) => outstanding.value === value, `to owe ${value}`);
}

async function bill(id: string) {
  return await stage.post<SubscriptionView>(`/v1/subscriptions/${id}/bill-balance`, {}, randomUUID());
}

async function billings(id: string) {
  return await engine.db
    .selectFrom('attempts')
    .select('outcome')
    .where('subject_id', '=', id)
    .where('step_name', 'like', 'cmd_%')
    .orderBy('attempt_number')
    .execute();
}

describe('bill-balance', () => {
  it('is not told as billed because of a failed cycle that the list read before had left out', async () => {
    const id = await subscribed();
    await engine.sandbox.configure({ saleOutcome: 'pending_then_denied', saleSettleMs: 1_500 });
    const lagging = { kind: 'stale_read', lagMs: 4_000 };
    // What is past is kept from now on.
    await engine.sandbox.fault({ ...lagging, operation: 'payout.get', times: null });
    await stage.billNextCycle(id);
    await owes(id, '9.00');
    await engine.sandbox.fault({ ...lagging, operation: 'agreement.transactions' });
    await engine.sandbox.fault({ ...lost, times: null });
    const agreement = await stage.agreementOf(id);
    // Nobody waits for its answer: it is not known when this test ends.
    bill(id).catch(() => undefined);
    // Some of them after the provider's reads have caught up.
    await until(
      () => engine.sandbox.calls(`text=${encodeURIComponent(agreement)}&limit=100`),
      (calls) => calls.filter(({ operation }) => operation === 'agreement.transactions').length > 12,
      'the list to be read often',
    );
    expect(await stage.booked(id)).toEqual([]);
    expect((await billings(id)).map(({ outcome }) => outcome)).not.toContain('answered');
  });

  it('is proved undone and repeated although a payment that was pending arrives meanwhile', async () => {
    const id = await owingItsFee();
    await owes(id, '5.00');
    await engine.sandbox.configure({ saleOutcome: 'pending_then_completed', saleSettleMs: 4_000 });
    await stage.billNextCycle(id);
    await stage.until(id, ({ cyclesCompleted }) => cyclesCompleted === 1, 'to have its cycle');
    await engine.sandbox.configure({ saleOutcome: 'completed' });
    await engine.sandbox.fault(lost);
    const asked = bill(id);
    await stage.reaches(id, 'billing_balance');
    const { state } = await stage.until(id, (seen) => seen.state !== 'billing_balance', 'to come to rest');
    expect(state).toBe('active');
    expect((await asked).status).toBe(200);
    expect((await billings(id)).map(({ outcome }) => outcome)).toEqual(['undone', 'answered']);
    expect(await stage.booked(id)).toEqual([900, 500]);
  });

  it('is sent at once although a payment that was pending has just arrived', async () => {
    const id = await owingItsFee();
    await owes(id, '5.00');
    await engine.sandbox.configure({ saleOutcome: 'pending_then_completed', saleSettleMs: 2_500 });
    await stage.billNextCycle(id);
    await engine.sandbox.configure({ saleOutcome: 'completed' });
    await until(
      async () => (await stage.payments(id)).collected.value,
      (value) => value === '9.00',
      'the cycle to arrive',
    );
    expect((await bill(id)).status).toBe(200);
    expect((await billings(id)).map(({ outcome }) => outcome)).toEqual(['answered']);
  });
});

describe('set-balance', () => {
  it('is not sent again because a payment that was pending has failed since, and is owed again', async () => {
    await engine.sandbox.fault({ operation: 'agreement.execute', kind: 'decline' });
    const id = await subscribed({ setupFee: '18.00' });
    const saleSettleMs = Math.min(stage.awhileMs, 10_000);
    await engine.sandbox.configure({ saleOutcome: 'pending_then_denied', saleSettleMs });
    await stage.billNextCycle(id);
    await stage.until(id, ({ cyclesCompleted }) => cyclesCompleted === 1, 'to have its cycle');
    await engine.sandbox.fault({ operation: 'agreement.set-balance', kind: 'drop_reply' });
    // Nobody looks before that payment has failed.
    const openGate = await shutGate(engine.db, 'attempts', sql`new.outcome = 'unknown'`);
    const asked = stage.post(`/v1/subscriptions/${id}/set-balance`, {
      balance: { value: '9.00', currency: 'USD' },
    });
    const path = `/v1/payments/billing-agreements/${await stage.agreementOf(id)}`;
    const owed = async () => {
      const shown = await engine.sandbox.callAsOwner<ShownAgreement>('GET', path);
      return shown.agreement_details.outstanding_balance.value;
    };
    await until(owed, (value) => value === '9.00', 'the balance to be set');
    await until(owed, (value) => value === '18.00', 'the payment to fail');
    await openGate();
    const { state } = await stage.until(id, (seen) => seen.state !== 'setting_balance', 'to come to rest');
    expect(state).toBe('needs_review');
    expect(await owed()).toBe('18.00');
    const decision = { decision: 'happened', reason: 'It was owed, and is again.', isUnverified: true };
    expect(await stage.post(`/v1/subscriptions/${id}/review/decision`, decision)).toMatchObject({
      status: 200,
    });
    expect((await asked).status).toBe(200);
  });

  it('is not refused because of a read that lags and shows less than is owed', async () => {
    const id = await owingItsFee();
    const lagging = { kind: 'stale_read', lagMs: 10_000 };
    // What is past is kept from now on.
    await engine.sandbox.fault({ ...lagging, operation: 'payout.get', times: null });
    await engine.sandbox.fault({ operation: 'agreement.cycle', kind: 'decline' });
    await stage.billNextCycle(id);
    await owes(id, '14.00');
    await engine.sandbox.fault({ ...lagging, operation: 'agreement.get' });
    const balance = { value: '6.00', currency: 'USD' };
    const asked = await stage.post(`/v1/subscriptions/${id}/set-balance`, { balance });
    expect(asked).toMatchObject({ status: 200 });
    await owes(id, '6.00');
  });
});
