import { describe, expect, it } from 'vitest';
import { forAllTests } from '../../helpers/shared.js';
import { eventually } from '../sandbox-fixture.js';
import { approveAsPayer } from '../specification/payer.js';
import { ConformanceFixture } from './conformance-fixture.js';
import { refusal, sdk, type SdkAnswer } from './sdk.js';
import { usd } from '../../helpers/usd.js';

const CHARGES = [
  { type: 'SHIPPING', amount: usd('10.60') },
  { type: 'TAX', amount: usd('20') },
];
const definition = (name: string, type: string, value: string, cycles: string) => ({
  name,
  type,
  frequency: 'MONTH',
  frequency_interval: '1',
  amount: usd(value),
  cycles,
  charge_models: CHARGES,
});
/** In the public spelling, with the public client’s lower-case words. */
const PLAN = {
  name: 'Fast speed',
  description: 'Plan with a trial',
  type: 'INFINITE',
  merchant_preferences: {
    setup_fee: usd('25'),
    cancel_url: 'http://127.0.0.1:9/cancel',
    return_url: 'http://127.0.0.1:9/return',
    auto_bill_amount: 'yes',
    initial_fail_amount_action: 'continue',
    max_fail_attempts: '1',
  },
  payment_definitions: [
    definition('Regular 1', 'REGULAR', '100', '0'),
    definition('Trial 1', 'TRIAL', '20', '4'),
  ],
};
const ADDRESS = {
  line1: '12 Leaf Street',
  line2: 'Back door',
  city: 'San Jose',
  state: 'CA',
  postal_code: '95112',
  country_code: 'US',
};

async function activePlan(changes: object = {}): Promise<SdkAnswer> {
  const plan = await sdk('billingPlan.create', { ...PLAN, ...changes });
  await sdk('billingPlan.activate', plan['id']);
  return plan;
}

async function createAgreement(changes: object = {}): Promise<SdkAnswer> {
  return sdk('billingAgreement.create', {
    name: 'Fast agreement',
    description: 'For the fast plan',
    start_date: new Date(Date.now() + 3_600_000).toISOString().replace(/\.\d+Z/, 'Z'),
    plan: { id: (await activePlan())['id'] },
    payer: { payment_method: 'paypal' },
    shipping_address: ADDRESS,
    ...changes,
  });
}

/** Approved on the payer’s page, executed with the token that the payer brings back. */
async function executedAgreement(changes: object = {}): Promise<SdkAnswer> {
  const created = await createAgreement(changes);
  const back = await approveAsPayer(created as never);
  return sdk('billingAgreement.execute', back.searchParams.get('token'));
}

const get = (id: string) => sdk('billingAgreement.get', id);

/** A date so many days from now, as the search takes it. */
const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);

describe('paypal-rest-sdk, plans and agreements', () => {
  const conformance = forAllTests(() => ConformanceFixture.start());

  it('creates, reads and lists plans', async () => {
    const plan = await sdk('billingPlan.create', PLAN);
    expect(plan).toMatchObject({ httpStatusCode: 201, state: 'CREATED', id: expect.stringMatching(/^P-/) });
    const found = await sdk('billingPlan.get', plan['id']);
    expect(found).toMatchObject({ state: 'CREATED', type: 'INFINITE', name: PLAN.name });
    expect(found['payment_definitions']).toHaveLength(2);
    const regular = found['payment_definitions'].find(({ type }: { type: string }) => type === 'REGULAR');
    const shipping = regular.charge_models.find(({ type }: { type: string }) => type === 'SHIPPING');
    expect(Number(shipping.amount.value)).toBe(10.6);
    const { plans } = await sdk('billingPlan.list', { page_size: '20', page: '0', status: 'CREATED' });
    expect(plans.map(({ id }: { id: string }) => id)).toContain(plan['id']);
    expect((await sdk('billingPlan.list', {}))['plans']).toBeInstanceOf(Array);
  });

  it('gets the documented name for an unknown plan', async () => {
    const { status, body } = await refusal('billingPlan.get', 'ABRACADABRA');
    expect([status, body['name']]).toEqual([404, 'TEMPLATE_ID_INVALID']);
  });

  it('activates a plan, and changes merchant preferences', async () => {
    const plan = await sdk('billingPlan.create', PLAN);
    const preferences = { cancel_url: 'http://127.0.0.1:9/other', setup_fee: usd('22') };
    const change = [{ op: 'replace', path: '/merchant-preferences', value: preferences }];
    expect((await sdk('billingPlan.update', plan['id'], change)).httpStatusCode).toBe(200);
    expect((await sdk('billingPlan.activate', plan['id'])).httpStatusCode).toBe(200);
    const found = await sdk('billingPlan.get', plan['id']);
    expect(found).toMatchObject({
      state: 'ACTIVE',
      merchant_preferences: { cancel_url: preferences.cancel_url },
    });
    expect(Number(found['merchant_preferences'].setup_fee.value)).toBe(22);
  });

  it('creates an agreement that has an identifier only when it is executed', async () => {
    const created = await createAgreement();
    expect(created).toMatchObject({ httpStatusCode: 201, name: 'Fast agreement' });
    expect(created).not.toHaveProperty('id');
    const rels = created['links'].map(
      ({ rel, method }: { rel: string; method: string }) => `${rel} ${method}`,
    );
    expect(rels).toEqual(expect.arrayContaining(['approval_url REDIRECT', 'execute POST']));
    const back = await approveAsPayer(created as never);
    const executed = await sdk('billingAgreement.execute', back.searchParams.get('token'), {});
    expect(executed['id']).toMatch(/^I-/);
    const agreement = await get(executed['id']);
    expect(agreement).toMatchObject({
      id: executed['id'],
      state: 'Active',
      description: 'For the fast plan',
    });
    expect(agreement['agreement_details']).toMatchObject({
      outstanding_balance: { currency: 'USD', value: expect.any(String) },
      cycles_completed: expect.any(String),
      failed_payment_count: '0',
    });
  });

  it('changes, suspends, re-activates and cancels an agreement, once', async () => {
    const { id } = await executedAgreement();
    const value = { description: 'New words', name: 'New name', shipping_address: ADDRESS };
    const updated = await sdk('billingAgreement.update', id, [{ op: 'replace', path: '/', value }]);
    expect(updated.httpStatusCode).toBe(200);
    expect(await get(id)).toMatchObject({ description: 'New words' });
    for (const [verb, state] of [
      ['suspend', 'Suspended'],
      ['reactivate', 'Active'],
      ['cancel', 'Cancelled'],
    ] as const) {
      expect((await sdk(`billingAgreement.${verb}`, id, { note: 'By the test' })).httpStatusCode).toBe(204);
      expect(await get(id)).toMatchObject({ state });
    }
    const { status, body } = await refusal('billingAgreement.cancel', id, { note: 'Again' });
    expect([status, body['name']]).toEqual([400, 'RP_INVALID_STATUS_TO_CANCEL']);
    expect((await refusal('billingAgreement.suspend', id, { note: 'No' })).body['name']).toBe(
      'INVALID_STATUS_TO_SUSPEND',
    );
  });

  it('is refused a balance above what is outstanding', async () => {
    const { id } = await executedAgreement();
    const set = await refusal('billingAgreement.setBalance', id, usd('100000'));
    const bill = await refusal('billingAgreement.billBalance', id, { note: 'All', amount: usd('100000') });
    for (const { status, body } of [set, bill]) {
      expect([status, body['name']]).toEqual([400, 'RP_CANT_INCREASE_OUTSTANDING_AMOUNT']);
    }
  });

  it('bills what a failed cycle has left outstanding, and finds it among the transactions', async () => {
    await conformance.sandbox.configure({ dayLengthMs: 300 });
    await conformance.sandbox.switchOnFault({ operation: 'agreement.cycle', kind: 'decline' });
    const merchant_preferences = {
      ...PLAN.merchant_preferences,
      auto_bill_amount: 'no',
      max_fail_attempts: '0',
    };
    const payment_definitions = [
      { ...definition('Daily', 'REGULAR', '100', '0'), frequency: 'DAY', charge_models: [] },
    ];
    const plan = await activePlan({ merchant_preferences, payment_definitions });
    const start_date = new Date(Date.now() + 5_000).toISOString();
    const { id } = await executedAgreement({ plan: { id: plan['id'] }, start_date });
    const outstanding = async () => Number((await get(id))['agreement_details'].outstanding_balance.value);
    await eventually(outstanding).toBe(100);
    expect((await sdk('billingAgreement.setBalance', id, usd('60'))).httpStatusCode).toBe(204);
    expect(await outstanding()).toBe(60);
    const bill = { note: 'What is left', amount: usd('60') };
    expect((await sdk('billingAgreement.billBalance', id, bill)).httpStatusCode).toBe(204);
    await eventually(outstanding).toBe(0);
    const search = async () =>
      (await sdk('billingAgreement.searchTransactions', id, day(-1), day(1)))['agreement_transaction_list'];
    await eventually(async () =>
      (await search()).some(({ amount }: { amount?: { value: string } }) => Number(amount?.value) === 60),
    ).toBe(true);
    for (const transaction of await search()) {
      expect(transaction).toMatchObject({
        transaction_id: expect.any(String),
        status: expect.any(String),
        transaction_type: expect.any(String),
        time_stamp: expect.any(String),
        time_zone: 'GMT',
      });
    }
    await conformance.sandbox.configure({});
  });
});
