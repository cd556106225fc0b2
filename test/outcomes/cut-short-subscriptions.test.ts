import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { SubscriptionStage } from '../e2e/subscription-stage.js';
import { startEngine } from '../helpers/engine.js';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { testWaitPolicy } from '../helpers/worker.js';

const dayLengthMs = 2_000;
const operation = 'agreement.transactions';

let stage: SubscriptionStage;
const engine = forAllTests(() => startEngine({ dayLengthMs }));
beforeAll(async () => {
  await engine.sandbox.configure({ dayLengthMs });
  stage = new SubscriptionStage(engine);
});
afterEach(async () => {
  await engine.sandbox.clearFaults();
});

describe('the payments of a subscription', () => {
  it('show a payment once, even if one list left out its id', async () => {
    const id = await subscribed(3);
    await engine.sandbox.fault({ operation, kind: 'reshape', remove: ['**.transaction_id'], times: 1 });
    await stage.reaches(id, 'expired');
    await runHasClosed(id);
    expect(await books(id)).toEqual({ booked: 2_700, collected: '27.00', payments: 3 });
  });

  it('show the last payment, even if the lists left it out for longer than reads may lag', async () => {
    const id = await subscribed(2, { startDate: new Date(Date.now() + 86_400_000).toISOString() });
    await stage.billNextCycle(id);
    const { payments } = await until(
      () => stage.payments(id),
      (seen) => seen.payments.length === 1,
      'the first payment',
    );
    // The agreement shows its latest payment by an instant of whole seconds.
    await until(
      async () => Date.now(),
      (now) => now > Date.parse(payments[0]?.at ?? '') + 1_000,
      'the next second',
    );
    // As they are listed: the creation, the first payment, the second one.
    const remove = ['agreement_transaction_list[2]'];
    await engine.sandbox.fault({ operation, kind: 'reshape', remove, times: null });
    await stage.billNextCycle(id);
    await stage.reaches(id, 'expired');
    await wait(2 * testWaitPolicy.outcomeHorizonMs);
    await engine.sandbox.clearFaults();
    await runHasClosed(id);
    expect(await books(id)).toEqual({ booked: 1_800, collected: '18.00', payments: 2 });
  });
});

describe('an execution whose answer was lost', () => {
  it.each([
    ['were empty all along', { kind: 'reshape', add: { events: [] } }],
    ['could not be read before', { kind: 'status', status: 503 }],
  ])('is not proved undone by pages that leave out what they count, which %s', async (_, fault) => {
    const { body: plan } = await stage.plan({ regular: { frequency: 'DAY', cycles: 20, amount: '9.00' } });
    const startDate = stage.soon();
    const { body: ordered } = await stage.order(plan.id, { startDate });
    const redirect = await stage.approve(ordered);
    await engine.sandbox.fault({ kind: 'drop_delivery', times: null });
    await engine.sandbox.fault({ kind: 'drop_reply', operation: 'agreement.execute', times: null });
    await engine.sandbox.fault({ operation: 'event.list', times: null, ...fault });
    // The payer waits for what nobody knows yet.
    const payer = fetch(redirect, { redirect: 'manual' });
    // Beyond its start, and beyond the horizon.
    await wait(Date.parse(startDate) + 5_000 - Date.now());
    expect((await stage.get(ordered.id)).state).toBe('executing');
    await engine.sandbox.clearFaults();
    await engine.sandbox.fault({ kind: 'reshape', operation: 'event.list', remove: ['events[]'], times: 1 });
    await stage.until(ordered.id, ({ state }) => state !== 'executing', 'to be decided on');
    expect((await stage.get(ordered.id)).state).toBe('active');
    await payer;
  });
});

/** 9.00 USD a day. */
async function subscribed(cycles: number, order: Record<string, unknown> = {}): Promise<string> {
  const { body: plan } = await stage.plan({ regular: { frequency: 'DAY', cycles, amount: '9.00' } });
  const { id } = await stage.subscribed(plan.id, order);
  return id;
}

async function runHasClosed(id: string): Promise<void> {
  await until(
    () => engine.temporal.workflow.getHandle(`subscription/sandbox/shop/${id}`).describe(),
    ({ status }) => status.name === 'COMPLETED',
    `the run of ${id} to be closed`,
  );
}

async function books(id: string) {
  const { payments, collected } = await stage.payments(id);
  const booked = (await stage.booked(id)).reduce((total, minor) => total + minor, 0);
  return { booked, collected: collected.value, payments: payments.length };
}
