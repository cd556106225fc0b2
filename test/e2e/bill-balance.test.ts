import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { startEngine } from '../helpers/engine.js';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { type Answer, type SubscriptionView, SubscriptionStage } from './subscription-stage.js';
import { usd } from '../helpers/usd.js';

const engine = forAllTests(() =>
  startEngine({ patience: { outcomeHorizonMs: 1_500, firstLookMs: 200, firstRetryMs: 200 } }),
);
const stage = new SubscriptionStage(engine);
afterEach(() => engine.sandbox.clearFaults());

async function bill(
  id: string,
  body: Record<string, unknown> = {},
  key: string = randomUUID(),
): Promise<Answer<SubscriptionView>> {
  return await stage.post(`/v1/subscriptions/${id}/bill-balance`, body, key);
}

async function set(id: string, value: string, key: string = randomUUID()): Promise<Answer<SubscriptionView>> {
  return await stage.post(`/v1/subscriptions/${id}/set-balance`, { balance: usd(value) }, key);
}

/** Its setup fee of 5.00 was declined, and is owed. */
async function owing(): Promise<SubscriptionView> {
  const terms = { setupFee: '5.00', regular: { frequency: 'YEAR', cycles: 5, amount: '9.00' } };
  const { id: planId } = (await stage.plan(terms)).body;
  await engine.sandbox.fault({ operation: 'agreement.execute', kind: 'decline' });
  const startDate = new Date(Date.now() + 600_000).toISOString();
  const subscription = await stage.subscribed(planId, { startDate });
  expect(subscription).toMatchObject({ state: 'active', outstanding: usd('5.00') });
  expect(subscription.allowedActions).toContain('billBalance');
  return subscription;
}

const owes = async (id: string, value: string) =>
  await stage.until(id, ({ outstanding }) => outstanding.value === value, `to owe ${value}`);

async function sends(id: string): Promise<number> {
  const path = `/billing-agreements/${await stage.agreementOf(id)}/bill-balance`;
  const calls = await engine.sandbox.calls(`text=${encodeURIComponent(path)}&limit=100`);
  return calls.filter(({ operation }) => operation === 'agreement.bill-balance').length;
}

describe('bill-balance', () => {
  it('collects a part and then the rest, once each, and never more than is outstanding', async () => {
    const { id } = await owing();
    expect(await bill(id, { amount: usd('5.01') })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/amount', detail: 'Only 5.00 USD is outstanding.' }] },
    });
    expect(await bill(id, { amount: { value: '5.00', currency: 'EUR' } })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/amount/currency' }] },
    });
    const key = randomUUID();
    const part = { amount: usd('2.00'), note: 'Agreed by phone' };
    expect(await bill(id, part, key)).toMatchObject({ status: 200, body: { state: 'active' } });
    await owes(id, '3.00');
    expect((await bill(id, part, key)).status).toBe(200);
    expect((await bill(id, { amount: usd('2.00') }, key)).status).toBe(409);
    // The second one waits until reads must show the first.
    expect([200, 202]).toContain((await bill(id)).status);
    await owes(id, '0.00');
    await stage.reaches(id, 'active');
    expect(await stage.booked(id)).toEqual([200, 300]);
    const { payments, collected } = await until(
      () => stage.payments(id),
      ({ collected: sum }) => sum.value === '5.00',
      'both payments to be read',
    );
    expect(collected.value).toBe('5.00');
    expect(payments.filter(({ state }) => state === 'completed')).toHaveLength(2);
    expect(await bill(id)).toMatchObject({
      status: 409,
      body: { code: 'nothing_outstanding', allowedActions: ['suspend', 'cancel'] },
    });
    expect(await sends(id)).toBe(2);
  });

  it('is a decline with the provider’s code when the payer’s funding source declines it; everything stays owed', async () => {
    const { id } = await owing();
    await engine.sandbox.fault({ operation: 'agreement.bill-balance', kind: 'decline' });
    expect(await bill(id)).toMatchObject({
      status: 402,
      body: { providerCode: 'INSTRUMENT_DECLINED', currentState: 'active' },
    });
    expect(await stage.get(id)).toMatchObject({ state: 'active', outstanding: usd('5.00') });
    expect(await stage.booked(id)).toEqual([]);
    expect(await bill(id)).toMatchObject({ status: 200 });
    expect(await stage.booked(id)).toEqual([500]);
  });

  it('collects once when its answer is lost, also from a suspended subscription', async () => {
    const { id } = await owing();
    await stage.post(`/v1/subscriptions/${id}/suspend`, {});
    await engine.sandbox.fault({ operation: 'agreement.bill-balance', kind: 'drop_reply', times: null });
    const key = randomUUID();
    await bill(id, {}, key);
    await owes(id, '0.00');
    await stage.reaches(id, 'suspended');
    expect((await bill(id, {}, key)).status).toBe(200);
    expect(await sends(id)).toBe(1);
    expect(await stage.booked(id)).toEqual([500]);
  });

  it('is sent again only when it is proved that the lost request was not carried out', async () => {
    const { id } = await owing();
    await engine.sandbox.fault({ operation: 'agreement.bill-balance', kind: 'status', status: 500 });
    await bill(id);
    await owes(id, '0.00');
    expect(await sends(id)).toBe(2);
    expect(await stage.booked(id)).toEqual([500]);
    const attempts = await engine.db
      .selectFrom('attempts')
      .select(['outcome', 'step'])
      .where('subject_id', '=', id)
      .where('step_name', 'like', 'cmd_%')
      .orderBy('attempt_number')
      .execute();
    expect(attempts).toMatchObject([
      { outcome: 'undone', step: { minor: 500, seen: { outstandingMinor: 500, saleIds: [] } } },
      { outcome: 'answered' },
    ]);
  });

  it('is not sent while the provider does not show what is compared afterwards', async () => {
    const { id } = await owing();
    const kind = { kind: 'status', status: 503, times: null };
    await engine.sandbox.fault({ operation: 'agreement.transactions', ...kind });
    const asked = bill(id);
    await stage.reaches(id, 'billing_balance');
    await until(
      () => engine.db.selectFrom('attempts').select('outcome').where('subject_id', '=', id).execute(),
      (attempts) => attempts.some(({ outcome }) => outcome === 'deferred'),
      'an attempt to be put off',
    );
    expect(await sends(id)).toBe(0);
    await engine.sandbox.clearFaults();
    expect([200, 202]).toContain((await asked).status);
    await owes(id, '0.00');
    expect(await stage.booked(id)).toEqual([500]);
  });
});

describe('set-balance', () => {
  it('forgives what is outstanding above it, and only lowers it; no money moves', async () => {
    const { id } = await owing();
    expect(await set(id, '5.00')).toMatchObject({
      status: 422,
      body: {
        errors: [{ pointer: '/balance', detail: 'The balance can only be lowered, and is 5.00 USD.' }],
      },
    });
    const key = randomUUID();
    expect(await set(id, '3.00', key)).toMatchObject({ status: 200, body: { state: 'active' } });
    await owes(id, '3.00');
    expect((await set(id, '3.00', key)).status).toBe(200);
    // The next one waits until reads must show this one.
    await set(id, '0.00');
    await owes(id, '0.00');
    await stage.reaches(id, 'active');
    expect(await stage.booked(id)).toEqual([]);
    expect(await set(id, '0.00')).toMatchObject({ status: 409, body: { code: 'nothing_outstanding' } });
  });

  it('is found done when its answer is lost, and sent again when the request was', async () => {
    const [answered, asked] = [await owing(), await owing()];
    await engine.sandbox.fault({ operation: 'agreement.set-balance', kind: 'drop_reply' });
    const key = randomUUID();
    await set(answered.id, '1.00', key);
    await owes(answered.id, '1.00');
    expect((await set(answered.id, '1.00', key)).status).toBe(200);
    await engine.sandbox.clearFaults();
    await engine.sandbox.fault({ operation: 'agreement.set-balance', kind: 'status', status: 500 });
    await set(asked.id, '1.00');
    await owes(asked.id, '1.00');
    await stage.reaches(asked.id, 'active');
  });
});
