import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually, SandboxFixture } from '../sandbox-fixture.js';
import { AGREEMENTS, inFuture, planBody, regular, Subscriptions, tokenOf } from './subscription-calls.js';

let sandbox: SandboxFixture;
let subscriptions: Subscriptions;

beforeAll(async () => {
  sandbox = await SandboxFixture.start({ dayLengthMs: 100 });
  subscriptions = new Subscriptions(sandbox);
});
afterAll(() => sandbox.stop());

const withFee = (preferences: Record<string, unknown> = {}) =>
  planBody({}, { setup_fee: { value: '5.00', currency: 'USD' }, ...preferences });

describe('creating', () => {
  test('answers no id, and the links by which the payer approves and the shop executes', async () => {
    const planId = await subscriptions.activePlan();
    const created = await subscriptions.createAgreement(planId);
    expect(created.status).toBe(201);
    expect(created.body).not.toHaveProperty('id');
    expect(created.body.plan.id).toBe(planId);
    const token = tokenOf(created);
    expect(created.body.links).toEqual([
      { href: `${sandbox.url}/checkout/agreement?token=${token}`, rel: 'approval_url', method: 'REDIRECT' },
      { href: `${sandbox.url}${AGREEMENTS}/${token}/agreement-execute`, rel: 'execute', method: 'POST' },
    ]);
  });

  test('refuses a start that is not in the future', async () => {
    const planId = await subscriptions.activePlan();
    const refused = await subscriptions.createAgreement(planId, { start_date: inFuture(-1_000) });
    expect([refused.status, refused.body.details]).toEqual([
      400,
      [{ field: 'start_date', issue: 'Must be in the future' }],
    ]);
  });

  test('refuses plans that are unknown or not active', async () => {
    const unknown = await subscriptions.createAgreement('P-UNKNOWN');
    expect([unknown.status, unknown.body.name]).toEqual([404, 'TEMPLATE_ID_INVALID']);
    const plan = await subscriptions.createPlan();
    const inactive = await subscriptions.createAgreement(plan.body.id);
    expect([inactive.status, inactive.body.details[0].field]).toEqual([400, 'plan.id']);
  });

  test('lets the agreement say otherwise than its plan, fee and addresses and charges', async () => {
    const plan = await subscriptions.createPlan(
      planBody({
        payment_definitions: [
          regular({ charge_models: [{ type: 'TAX', amount: { value: '2', currency: 'USD' } }] }),
        ],
      }),
    );
    await subscriptions.patchPlan(plan.body.id, '/', { state: 'ACTIVE' });
    const chargeId = plan.body.payment_definitions[0].charge_models[0].id;
    const created = await subscriptions.createAgreement(plan.body.id, {
      override_merchant_preferences: {
        setup_fee: { value: '3.50', currency: 'USD' },
        return_url: 'http://127.0.0.1:9/other',
      },
      override_charge_models: [{ charge_id: chargeId, amount: { value: '4', currency: 'USD' } }],
    });
    const token = tokenOf(created);
    const approval = await subscriptions.approve(token);
    expect(approval.body.redirectUrl).toBe(`http://127.0.0.1:9/other?token=${token}`);
    const executed = await subscriptions.execute(token);
    expect(executed.body.plan.payment_definitions[0].charge_models[0].amount.value).toBe('4.00');
    expect(await subscriptions.booked(executed.body.id)).toEqual([350]);
  });
});

describe('executing', () => {
  test('gives the agreement its id, collects the setup fee once and tells of it', async () => {
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

  test('answers the same agreement to whoever executes twice, or twice at once', async () => {
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

  test('takes a payer whose account declines for one whose funding is declined', async () => {
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
  ])('stays pending until it is settled: %s', async (agreementOutcome, state, books, events) => {
    await sandbox.configure({ agreementOutcome, agreementSettleMs: 50 });
    try {
      const token = await subscriptions.approved(await subscriptions.activePlan(withFee()));
      const executed = await subscriptions.execute(token);
      expect(executed.body.state).toBe('Pending');
      const cancelled = await subscriptions.post(executed.body.id, 'cancel');
      expect(cancelled.body.name ?? 'settled before').toMatch(/RP_INVALID_STATUS_TO_CANCEL|settled before/);
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
    'asks for the setup fee when it is collected (%s): the payer may have run out of money while it was pending',
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
      await sandbox.sql(`UPDATE billing_agreements SET settles_at = now() WHERE id = '${executed.body.id}'`);
      await eventually(async () => (await subscriptions.get(executed.body.id)).state).toBe(state);
      expect((await subscriptions.details(executed.body.id)).outstanding_balance.value).toBe(owed);
      expect(await subscriptions.events(executed.body.id)).toEqual(events);
      expect(await subscriptions.booked(executed.body.id)).toEqual([]);
    },
  );

  test('lets the outcome of sales decide about the setup fee too', async () => {
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

  test('is refused to a payer who declines where there is no fee that could stay owed', async () => {
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

test('lists transactions of given days only, and asks for both days', async () => {
  const id = await subscriptions.agreement(withFee());
  const list = (query: string) => sandbox.call('GET', `${AGREEMENTS}/${id}/transactions${query}`);
  const missing = await list('');
  expect(missing.body.details.map(({ field }: { field: string }) => field)).toEqual([
    'start_date',
    'end_date',
  ]);
  expect((await list('?start_date=2020-01-01&end_date=2020-13-01')).status).toBe(400);
  expect((await list('?start_date=2020-01-02&end_date=2020-01-01')).status).toBe(400);
  expect((await list('?start_date=2020-01-01&end_date=2020-01-02')).body).toEqual({
    agreement_transaction_list: [],
  });
  const today = new Date().toISOString().slice(0, 10);
  const [created, fee] = (await list(`?start_date=${today}&end_date=${today}`)).body
    .agreement_transaction_list;
  expect(created).toMatchObject({ transaction_id: id, status: 'Created' });
  expect(fee).toMatchObject({
    status: 'Completed',
    transaction_type: 'Recurring Payment',
    amount: { value: '5.00', currency: 'USD' },
    net_amount: { value: '5.00', currency: 'USD' },
    time_zone: 'GMT',
  });
  const sale = await sandbox.call('GET', `/v1/payments/sale/${fee.transaction_id}`);
  expect(sale.body).toMatchObject({
    state: 'completed',
    billing_agreement_id: id,
    amount: { total: '5.00' },
  });
});

test('leaves books without a violation', async () => {
  expect(await sandbox.violations()).toEqual([]);
});
