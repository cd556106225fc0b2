import { afterEach, expect, test } from 'vitest';
import { forAllTests } from '../../helpers/shared.js';
import { eventually, SandboxFixture } from '../sandbox-fixture.js';
import { WebhookReceiver } from '../webhook-receiver.js';
import { daily, inFuture, planBody, regular, SOON, Subscriptions, trial } from './subscription-calls.js';

const DAY_MS = 10;

const sandbox = forAllTests(() => SandboxFixture.start({ dayLengthMs: DAY_MS }));
const subscriptions = new Subscriptions(sandbox);
afterEach(async () => {
  expect(await sandbox.violations()).toEqual([]);
  await sandbox.request('DELETE', '/admin/faults');
  await sandbox.configure({});
  await sandbox.sql('DELETE FROM webhooks');
});

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
  await subscriptions.become(id, 'Expired');

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

test('follows the calendar when days are real', async () => {
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

test('bills nothing while it is suspended, and postpones the cycles', async () => {
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
  await subscriptions.become(id, 'Expired');
  expect(await subscriptions.booked(id)).toEqual(Array.from({ length: 10 }, () => 1_000));
});

test('charges nothing for a free trial, in the books either', async () => {
  const plan = planBody({
    payment_definitions: [
      daily('1', { amount: { value: '1200', currency: 'JPY' } }),
      { ...trial({ cycles: '3', amount: { value: '0', currency: 'JPY' } }), frequency: 'DAY' },
    ],
  });
  const id = await subscriptions.agreement(plan, SOON);
  await subscriptions.become(id, 'Expired');
  expect(await subscriptions.booked(id)).toEqual([1_200]);
  expect((await subscriptions.details(id)).last_payment_amount).toEqual({ currency: 'JPY', value: '1200' });
});

test('can renew without a notification: the delivery is dropped, the money has moved', async () => {
  const receiver = await receiveEvents();
  await sandbox.switchOnFault({ kind: 'drop_delivery', eventType: 'PAYMENT.SALE.COMPLETED' });
  const id = await subscriptions.agreement(planBody({ payment_definitions: [daily('2')] }), SOON);
  await subscriptions.become(id, 'Expired');
  await eventually(() => receiver.typesOf(id)).toContain('BILLING.SUBSCRIPTION.EXPIRED');
  const reported = () =>
    receiver.deliveries.filter(({ event }) => event.event_type === 'PAYMENT.SALE.COMPLETED');
  await eventually(() => reported().length).toBe(1);
  expect(await subscriptions.booked(id)).toEqual([1_000, 1_000]);
  await receiver.stop();
});

test('bills the next cycle at once when told to, and the later ones on their dates', async () => {
  const plan = planBody({ payment_definitions: [regular({ cycles: '2' })] });
  const token = await subscriptions.approved(await subscriptions.activePlan(plan), {
    start_date: inFuture(86_400_000),
  });
  const billNow = () =>
    sandbox
      .request('POST', `/admin/billing-agreements/${token}/bill-next-cycle`)
      .then(({ status }) => status);
  expect(await billNow()).toBe(409);
  const { id } = (await subscriptions.execute(token)).body;
  const { next_billing_date: first } = await subscriptions.details(id);

  expect(await billNow()).toBe(204);
  expect(await subscriptions.booked(id)).toEqual([1_000]);
  const later = await subscriptions.details(id);
  expect(later).toMatchObject({ cycles_completed: '1', cycles_remaining: '1' });
  expect(Date.parse(later.next_billing_date)).toBeGreaterThan(Date.parse(first));

  await subscriptions.post(id, 'suspend');
  expect(await billNow()).toBe(409);
  await subscriptions.post(id, 're-activate');
  expect(await billNow()).toBe(204);
  expect(await subscriptions.booked(id)).toEqual([1_000, 1_000]);
  await subscriptions.become(id, 'Expired');
  expect(await billNow()).toBe(409);
  const unknown = '/admin/billing-agreements/EC-00000000000000000/bill-next-cycle';
  expect((await sandbox.request('POST', unknown)).status).toBe(404);
});
