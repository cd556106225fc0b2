import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { eventually, SandboxFixture } from '../sandbox-fixture.js';
import { WebhookReceiver } from '../webhook-receiver.js';
import { planBody, regular, SOON, Subscriptions, trial } from './subscription-calls.js';

const DAY_MS = 10;

let sandbox: SandboxFixture;
let subscriptions: Subscriptions;

beforeAll(async () => {
  sandbox = await SandboxFixture.start({ dayLengthMs: DAY_MS });
  subscriptions = new Subscriptions(sandbox);
});
afterEach(async () => {
  expect(await sandbox.violations()).toEqual([]);
  await sandbox.request('DELETE', '/admin/faults');
  await sandbox.configure({});
  await sandbox.sql('DELETE FROM webhooks');
});
afterAll(() => sandbox.stop());

function daily(cycles: string, changes: Record<string, unknown> = {}) {
  return regular({ frequency: 'DAY', frequency_interval: '10', cycles, ...changes });
}

async function become(agreementId: string, state: string): Promise<void> {
  await eventually(async () => (await subscriptions.get(agreementId)).state).toBe(state);
}

async function receiveEvents(): Promise<WebhookReceiver> {
  const receiver = await WebhookReceiver.start();
  await sandbox.call('POST', '/v1/notifications/webhooks', {
    url: receiver.url,
    event_types: [{ name: '*' }],
  });
  return receiver;
}

test('bills a year of monthly cycles, the trial before the regular ones, each once, and then expires', async () => {
  const receiver = await receiveEvents();
  const id = await subscriptions.agreement(
    planBody(
      {
        payment_definitions: [
          regular({
            cycles: '12',
            charge_models: [
              { type: 'SHIPPING', amount: { value: '1.5', currency: 'USD' } },
              { type: 'TAX', amount: { value: '0.60', currency: 'USD' } },
            ],
          }),
          trial({ cycles: '2' }),
        ],
      },
      { setup_fee: { value: '5', currency: 'USD' } },
    ),
    SOON,
  );
  const { agreement_details: before } = await subscriptions.get(id);
  expect([before.cycles_remaining, before.cycles_completed]).toEqual(['14', '0']);
  await become(id, 'Expired');

  expect(await subscriptions.booked(id)).toEqual([500, 100, 100, ...Array.from({ length: 12 }, () => 1_210)]);
  expect(await subscriptions.details(id)).toMatchObject({
    outstanding_balance: { value: '0.00' },
    cycles_remaining: '0',
    cycles_completed: '14',
    failed_payment_count: '0',
    final_payment_date: before.final_payment_date,
  });
  expect(await subscriptions.transactions(id)).toEqual([
    'Created',
    'Completed 5.00',
    'Completed 1.00',
    'Completed 1.00',
    ...Array.from({ length: 12 }, () => 'Completed 12.10'),
    'Expired',
  ]);
  const sales = () =>
    receiver.deliveries.filter(({ event }) => event.event_type === 'PAYMENT.SALE.COMPLETED');
  await eventually(() => sales().length).toBe(15);
  await eventually(() => receiver.typesOf(id)).toContain('BILLING.SUBSCRIPTION.EXPIRED');
  const regularSale = sales().find(({ event }) => event.resource.amount.total === '12.10');
  expect(regularSale?.event.resource).toMatchObject({
    billing_agreement_id: id,
    amount: { details: { subtotal: '10.00', shipping: '1.50', tax: '0.60' } },
  });
  await receiver.stop();
});

test('keeps to the calendar where days are real', async () => {
  await sandbox.configure({ dayLengthMs: 86_400_000 });
  const year = new Date().getUTCFullYear() + 1;
  const id = await subscriptions.agreement(planBody({ payment_definitions: [regular({ cycles: '3' })] }), {
    start_date: `${year}-01-31T09:30:00Z`,
  });
  expect(await subscriptions.details(id)).toMatchObject({
    next_billing_date: `${year}-01-31T09:30:00.000Z`,
    final_payment_date: `${year}-03-31T09:30:00.000Z`,
  });
});

describe('a cycle that is declined', () => {
  test('is owed, told, and collected with the next one where the plan bills automatically', async () => {
    const plan = planBody({ payment_definitions: [daily('3')] }, { autobill_amount: 'YES' });
    await sandbox.switchOnFault({ operation: 'agreement.cycle', kind: 'decline' });
    const id = await subscriptions.agreement(plan, SOON);
    await become(id, 'Expired');
    expect(await subscriptions.booked(id)).toEqual([2_000, 1_000]);
    expect(await subscriptions.transactions(id)).toEqual([
      'Created',
      'Failed 10.00',
      'Completed 20.00',
      'Completed 10.00',
      'Expired',
    ]);
    expect(await subscriptions.details(id)).toMatchObject({
      outstanding_balance: { value: '0.00' },
      failed_payment_count: '0',
    });
    expect(await subscriptions.events(id)).toEqual([
      'CREATED',
      'ACTIVATED',
      'PAYMENT.FAILED',
      'PAYMENT.SALE.COMPLETED',
      'PAYMENT.SALE.COMPLETED',
      'EXPIRED',
    ]);
  });

  test('stays owed where the plan does not, until the shop bills the balance', async () => {
    const plan = planBody(
      { type: 'INFINITE', payment_definitions: [daily('0')] },
      { auto_bill_amount: 'no' },
    );
    await sandbox.switchOnFault({ operation: 'agreement.cycle', kind: 'decline' });
    const id = await subscriptions.agreement(plan, SOON);
    await eventually(async () => (await subscriptions.booked(id)).length).toBeGreaterThan(1);
    expect((await subscriptions.details(id)).outstanding_balance.value).toBe('10.00');
    await subscriptions.post(id, 'bill-balance', { note: 'n', amount: { value: '10', currency: 'USD' } });
    expect((await subscriptions.details(id)).outstanding_balance.value).toBe('0.00');
    await subscriptions.post(id, 'cancel');
    expect(new Set(await subscriptions.booked(id))).toEqual(new Set([1_000]));
  });

  test('suspends the agreement when as many in a row have failed as the plan allows', async () => {
    const plan = planBody(
      { payment_definitions: [daily('4')] },
      { max_fail_attempts: '2', autobill_amount: 'YES' },
    );
    await sandbox.switchOnFault({ operation: 'agreement.cycle', kind: 'decline', times: 2 });
    const id = await subscriptions.agreement(plan, SOON);
    await become(id, 'Suspended');
    expect(await subscriptions.details(id)).toMatchObject({
      outstanding_balance: { value: '20.00' },
      failed_payment_count: '2',
      cycles_completed: '2',
      cycles_remaining: '2',
    });
    expect(await subscriptions.details(id)).not.toHaveProperty('next_billing_date');
    expect((await subscriptions.post(id, 're-activate')).status).toBe(204);
    await become(id, 'Expired');
    expect(await subscriptions.booked(id)).toEqual([3_000, 1_000]);
    expect(await subscriptions.events(id)).toEqual([
      'CREATED',
      'ACTIVATED',
      'PAYMENT.FAILED',
      'PAYMENT.FAILED',
      'SUSPENDED',
      'RE-ACTIVATED',
      'PAYMENT.SALE.COMPLETED',
      'PAYMENT.SALE.COMPLETED',
      'EXPIRED',
    ]);
  });

  test('is one of a payer whose account declines from some day on', async () => {
    const plan = planBody(
      { type: 'INFINITE', payment_definitions: [daily('0')] },
      { max_fail_attempts: '1' },
    );
    const id = await subscriptions.agreement(plan, SOON);
    await eventually(async () => (await subscriptions.booked(id)).length).toBeGreaterThan(0);
    await sandbox.request('PATCH', '/admin/accounts/SANDBOXPAYER1', { fundingDeclines: true });
    await become(id, 'Suspended');
    expect((await subscriptions.transactions(id)).at(-2)).toBe('Failed 10.00');
    await sandbox.request('PATCH', '/admin/accounts/SANDBOXPAYER1', { fundingDeclines: false });
  });
});

describe('a cycle that is pending', () => {
  test.each([
    ['completed', [1_000], '0.00', ['Created', 'Completed 10.00', 'Expired']],
    ['denied', [], '10.00', ['Created', 'Denied 10.00', 'Expired']],
  ])('is settled later as %s', async (settlesAs, books, owed, transactions) => {
    await sandbox.switchOnFault({ operation: 'agreement.cycle', kind: 'pending', settlesAs, afterMs: 50 });
    const id = await subscriptions.agreement(planBody({ payment_definitions: [daily('1')] }), SOON);
    const status = async () =>
      (
        await sandbox.sql(
          `SELECT status FROM agreement_transactions WHERE cycle = 1 AND agreement_id = '${id}'`,
        )
      )[0]?.['status'];
    await eventually(status).toMatch(/completed|failed/);
    expect(await subscriptions.booked(id)).toEqual(books);
    expect((await subscriptions.details(id)).outstanding_balance.value).toBe(owed);
    expect(await subscriptions.transactions(id)).toEqual(transactions);
    expect(await subscriptions.events(id)).toContain(
      settlesAs === 'denied' ? 'PAYMENT.FAILED' : 'PAYMENT.SALE.COMPLETED',
    );
  });
});

test('bills nothing while it is suspended, and puts the cycles off', async () => {
  const definition = daily('10', { frequency_interval: '40' });
  const id = await subscriptions.agreement(planBody({ payment_definitions: [definition] }), SOON);
  await eventually(async () => (await subscriptions.booked(id)).length).toBeGreaterThan(0);
  expect((await subscriptions.post(id, 'suspend')).status).toBe(204);
  const billed = await subscriptions.booked(id);
  const { final_payment_date } = await subscriptions.details(id);
  const suspendedAt = Date.now();
  await eventually(() => Date.now() - suspendedAt).toBeGreaterThan(3 * 40 * DAY_MS);
  expect(await subscriptions.booked(id)).toEqual(billed);
  expect((await subscriptions.post(id, 're-activate')).status).toBe(204);
  const after = await subscriptions.details(id);
  const putOffMs = Date.parse(after.final_payment_date) - Date.parse(final_payment_date);
  expect(putOffMs).toBeGreaterThanOrEqual(3 * 40 * DAY_MS);
  expect(putOffMs % (40 * DAY_MS)).toBe(0);
  await become(id, 'Expired');
  expect(await subscriptions.booked(id)).toEqual(Array.from({ length: 10 }, () => 1_000));
});

test('charges nothing for a free trial and nothing in the books', async () => {
  const plan = planBody({
    payment_definitions: [
      daily('1', { amount: { value: '1200', currency: 'JPY' } }),
      { ...trial({ cycles: '3', amount: { value: '0', currency: 'JPY' } }), frequency: 'DAY' },
    ],
  });
  const id = await subscriptions.agreement(plan, SOON);
  await become(id, 'Expired');
  expect(await subscriptions.booked(id)).toEqual([1_200]);
  expect((await subscriptions.details(id)).last_payment_amount).toEqual({ currency: 'JPY', value: '1200' });
});

test('can renew without telling anybody: the delivery is dropped, the money has moved', async () => {
  const receiver = await receiveEvents();
  await sandbox.switchOnFault({ kind: 'drop_delivery', eventType: 'PAYMENT.SALE.COMPLETED' });
  const id = await subscriptions.agreement(planBody({ payment_definitions: [daily('2')] }), SOON);
  await become(id, 'Expired');
  await eventually(() => receiver.typesOf(id)).toContain('BILLING.SUBSCRIPTION.EXPIRED');
  const told = () => receiver.deliveries.filter(({ event }) => event.event_type === 'PAYMENT.SALE.COMPLETED');
  await eventually(() => told().length).toBe(1);
  expect(await subscriptions.booked(id)).toEqual([1_000, 1_000]);
  await receiver.stop();
});
