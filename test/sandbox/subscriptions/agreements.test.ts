import { describe, expect, test } from 'vitest';
import { forAllTests } from '../../helpers/shared.js';
import { SandboxFixture } from '../sandbox-fixture.js';
import { AGREEMENTS, inFuture, planBody, regular, Subscriptions, tokenOf } from './subscription-calls.js';

const sandbox = forAllTests(() => SandboxFixture.start({ dayLengthMs: 100 }));
const subscriptions = new Subscriptions(sandbox);

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

  test('lets the agreement override the plan’s fee, addresses and charges', async () => {
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

test('lists transactions of the given days only, and requires both days', async () => {
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
