import { afterEach, describe, expect, test } from 'vitest';
import { forAllTests } from '../../helpers/shared.js';
import { eventually, SandboxFixture } from '../sandbox-fixture.js';
import { daily, planBody, SOON, Subscriptions } from './subscription-calls.js';

const DAY_MS = 10;

const sandbox = forAllTests(() => SandboxFixture.start({ dayLengthMs: DAY_MS }));
const subscriptions = new Subscriptions(sandbox);
afterEach(async () => {
  expect(await sandbox.violations()).toEqual([]);
  await sandbox.request('DELETE', '/admin/faults');
  await sandbox.configure({});
  await sandbox.sql('DELETE FROM webhooks');
});

describe('a cycle that is declined', () => {
  test('is owed, reported, and collected with the next one when the plan bills automatically', async () => {
    const plan = planBody({ payment_definitions: [daily('3')] }, { autobill_amount: 'YES' });
    await sandbox.switchOnFault({ operation: 'agreement.cycle', kind: 'decline' });
    const id = await subscriptions.agreement(plan, SOON);
    await subscriptions.become(id, 'Expired');
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

  test('stays owed when the plan does not, until the shop bills the balance', async () => {
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

  test('suspends the agreement after as many consecutive failures as the plan allows', async () => {
    const plan = planBody(
      { payment_definitions: [daily('4')] },
      { max_fail_attempts: '2', autobill_amount: 'YES' },
    );
    await sandbox.switchOnFault({ operation: 'agreement.cycle', kind: 'decline', times: 2 });
    const id = await subscriptions.agreement(plan, SOON);
    await subscriptions.become(id, 'Suspended');
    expect(await subscriptions.details(id)).toMatchObject({
      outstanding_balance: { value: '20.00' },
      failed_payment_count: '2',
      cycles_completed: '2',
      cycles_remaining: '2',
    });
    expect(await subscriptions.details(id)).not.toHaveProperty('next_billing_date');
    expect((await subscriptions.post(id, 're-activate')).status).toBe(204);
    await subscriptions.become(id, 'Expired');
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

  test('may come from a payer whose account declines from some day on', async () => {
    const plan = planBody(
      { type: 'INFINITE', payment_definitions: [daily('0')] },
      { max_fail_attempts: '1' },
    );
    const id = await subscriptions.agreement(plan, SOON);
    await eventually(async () => (await subscriptions.booked(id)).length).toBeGreaterThan(0);
    await sandbox.request('PATCH', '/admin/accounts/SANDBOXPAYER1', { fundingDeclines: true });
    await subscriptions.become(id, 'Suspended');
    expect((await subscriptions.transactions(id)).at(-2)).toBe('Failed 10.00');
    await sandbox.request('PATCH', '/admin/accounts/SANDBOXPAYER1', { fundingDeclines: false });
  });
});

describe('a cycle that is pending', () => {
  test.each([
    ['completed', [1_000], '0.00', ['Created', 'Completed 10.00', 'Expired']],
    ['denied', [], '10.00', ['Created', 'Denied 10.00', 'Expired']],
  ])('ends later as %s', async (settlesAs, books, owed, transactions) => {
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
