import { describe, expect, test } from 'vitest';
import { forAllTests } from '../../helpers/shared.js';
import { eventually, SandboxFixture } from '../sandbox-fixture.js';
import { planBody, Subscriptions, tokenOf } from './subscription-calls.js';

const sandbox = forAllTests(() => SandboxFixture.start({ dayLengthMs: 100 }));
const subscriptions = new Subscriptions(sandbox);

const withFee = (preferences: Record<string, unknown> = {}) =>
  planBody({}, { setup_fee: { value: '5.00', currency: 'USD' }, ...preferences });

const settle = (id: string) =>
  sandbox.sql(`UPDATE billing_agreements SET settles_at = now() WHERE id = '${id}'`);

describe('executing', () => {
  test('gives the agreement its id, collects the setup fee once and sends an event', async () => {
    const token = await subscriptions.approved(await subscriptions.activePlan(withFee()));
    const executed = await subscriptions.execute(token);
    expect([executed.status, executed.body.state]).toEqual([200, 'Active']);
    const { id } = executed.body;
    expect(id).toMatch(/^I-/);
    expect(executed.body.agreement_details).toMatchObject({
      outstanding_balance: { currency: 'USD', value: '0.00' },
      cycles_remaining: '12',
      cycles_completed: '0',
      last_payment_amount: { currency: 'USD', value: '5.00' },
      failed_payment_count: '0',
    });
    expect(await subscriptions.booked(id)).toEqual([500]);
    expect(await subscriptions.events(id)).toEqual(['CREATED', 'PAYMENT.SALE.COMPLETED', 'ACTIVATED']);
    expect(await subscriptions.transactions(id)).toEqual(['Created', 'Completed 5.00']);
  });

  test('answers the same agreement when it is executed twice, or twice at once', async () => {
    const token = await subscriptions.approved(await subscriptions.activePlan(withFee()));
    const answers = await Promise.all([1, 2, 3].map(() => subscriptions.execute(token)));
    answers.push(await subscriptions.execute(token));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
    expect(await subscriptions.booked(answers[0]!.body.id)).toEqual([500]);
  });

  test('is refused before the payer has approved, and for an unknown token', async () => {
    const created = await subscriptions.createAgreement(await subscriptions.activePlan());
    const early = await subscriptions.execute(tokenOf(created));
    expect([early.status, early.body.name]).toEqual([400, 'PAYMENT_NOT_APPROVED_FOR_EXECUTION']);
    const unknown = await subscriptions.execute('EC-UNKNOWN');
    expect([unknown.status, unknown.body.name]).toEqual([404, 'INVALID_RESOURCE_ID']);
  });

  test.each([
    ['CONTINUE', 'Active', '5.00', ['CREATED', 'PAYMENT.FAILED', 'ACTIVATED']],
    ['CANCEL', 'Cancelled', '0.00', ['CREATED', 'PAYMENT.FAILED', 'CANCELLED']],
  ])('does what the plan says (%s) when the setup fee is declined', async (action, state, owed, events) => {
    const plan = withFee({ initial_amount_fail_action: action, max_fail_attempts: '1' });
    const token = await subscriptions.approved(await subscriptions.activePlan(plan));
    await sandbox.switchOnFault({ operation: 'agreement.execute', kind: 'decline' });
    const executed = await subscriptions.execute(token);
    expect([executed.status, executed.body.state]).toEqual([200, state]);
    expect(executed.body.agreement_details.outstanding_balance.value).toBe(owed);
    expect(await subscriptions.events(executed.body.id)).toEqual(events);
    expect(await subscriptions.booked(executed.body.id)).toEqual([]);
  });

  test('treats a payer whose account declines like one whose funding is declined', async () => {
    await sandbox.request('POST', '/admin/accounts', {
      id: 'BROKE1',
      email: 'broke@sandbox.example',
      fundingDeclines: true,
    });
    const created = await subscriptions.createAgreement(
      await subscriptions.activePlan(withFee({ initial_amount_fail_action: 'CANCEL' })),
    );
    await subscriptions.approve(tokenOf(created), { accountId: 'BROKE1' });
    const executed = await subscriptions.execute(tokenOf(created));
    expect([executed.body.state, executed.body.payer.payer_info.payer_id]).toEqual(['Cancelled', 'BROKE1']);
  });

  test.each([
    ['pending_then_active', 'Active', [500], ['CREATED', 'PAYMENT.SALE.COMPLETED', 'ACTIVATED']],
    ['pending_then_cancelled', 'Cancelled', [], ['CREATED', 'CANCELLED']],
  ])('stays pending until it ends: %s', async (agreementOutcome, state, books, events) => {
    await sandbox.configure({ agreementOutcome, agreementSettleMs: 3_600_000 });
    try {
      const token = await subscriptions.approved(await subscriptions.activePlan(withFee()));
      const executed = await subscriptions.execute(token);
      expect(executed.body.state).toBe('Pending');
      const cancelled = await subscriptions.post(executed.body.id, 'cancel');
      expect(cancelled.body.name).toBe('RP_INVALID_STATUS_TO_CANCEL');
      await settle(executed.body.id);
      await eventually(async () => (await subscriptions.get(executed.body.id)).state).toBe(state);
      expect(await subscriptions.booked(executed.body.id)).toEqual(books);
      expect(await subscriptions.events(executed.body.id)).toEqual(events);
    } finally {
      await sandbox.configure({});
    }
  });

  test.each([
    ['CONTINUE', 'Active', '5.00', ['CREATED', 'PAYMENT.FAILED', 'ACTIVATED']],
    ['CANCEL', 'Cancelled', '0.00', ['CREATED', 'PAYMENT.FAILED', 'CANCELLED']],
  ])(
    'checks the payer’s money when the setup fee is collected (%s), because it may be gone by then',
    async (action, state, owed, events) => {
      const id = `ONCE-RICH-${action}`;
      const email = `${id}@sandbox.example`.toLowerCase();
      await sandbox.request('POST', '/admin/accounts', { id, email });
      await sandbox.configure({ agreementOutcome: 'pending_then_active', agreementSettleMs: 3_600_000 });
      const plan = withFee({ initial_amount_fail_action: action });
      const created = await subscriptions.createAgreement(await subscriptions.activePlan(plan));
      await subscriptions.approve(tokenOf(created), { accountId: id });
      const executed = await subscriptions.execute(tokenOf(created));
      await sandbox.configure({});
      expect(executed.body.state).toBe('Pending');
      await sandbox.request('PATCH', `/admin/accounts/${id}`, { fundingDeclines: true });
      await settle(executed.body.id);
      await eventually(async () => (await subscriptions.get(executed.body.id)).state).toBe(state);
      expect((await subscriptions.details(executed.body.id)).outstanding_balance.value).toBe(owed);
      expect(await subscriptions.events(executed.body.id)).toEqual(events);
      expect(await subscriptions.booked(executed.body.id)).toEqual([]);
    },
  );

  test('lets the outcome of sales decide about the setup fee, too', async () => {
    await sandbox.configure({
      saleOutcome: 'pending_then_denied',
      saleSettleMs: 20,
      dayLengthMs: 86_400_000,
    });
    try {
      const id = await subscriptions.agreement(withFee({ initial_amount_fail_action: 'CANCEL' }));
      await eventually(async () => (await subscriptions.get(id)).state).toBe('Cancelled');
      expect(await subscriptions.events(id)).toEqual(['CREATED', 'PAYMENT.FAILED', 'CANCELLED']);
    } finally {
      await sandbox.configure({});
    }
  });

  test('is refused to a payer who declines when there is no fee that could stay owed', async () => {
    const token = await subscriptions.approved(await subscriptions.activePlan());
    await sandbox.switchOnFault({ operation: 'agreement.execute', kind: 'decline' });
    const declined = await subscriptions.execute(token);
    expect([declined.status, declined.body.name]).toEqual([400, 'INSTRUMENT_DECLINED']);
    expect((await subscriptions.execute(token)).body.state).toBe('Active');
  });

  test('lets a pending fault deny the setup fee later', async () => {
    const plan = withFee({ initial_amount_fail_action: 'CONTINUE' });
    const token = await subscriptions.approved(await subscriptions.activePlan(plan));
    await sandbox.switchOnFault({
      operation: 'agreement.execute',
      kind: 'pending',
      settlesAs: 'denied',
      afterMs: 20,
    });
    const executed = await subscriptions.execute(token);
    expect(executed.body.state).toBe('Pending');
    await eventually(
      async () => (await subscriptions.details(executed.body.id)).outstanding_balance.value,
    ).toBe('5.00');
    expect((await subscriptions.get(executed.body.id)).state).toBe('Active');
  });
});

test('leaves books without a violation', async () => {
  expect(await sandbox.violations()).toEqual([]);
});
