import { afterAll, expect } from 'vitest';
import { forAllTests } from '../../helpers/shared.js';
import { SandboxFixture } from '../sandbox-fixture.js';
import { describeSection } from './describe-section.js';
import { absoluteUrl, at, expectRefusalOf, having, identifier } from './formats.js';
import { approvalAddress, approveAsPayer } from './payer.js';
import { usd } from '../../helpers/usd.js';

const PLANS = '/v1/payments/billing-plans';
const AGREEMENTS = '/v1/payments/billing-agreements';

/** Every field of section 2.5 by the specification’s own spelling. */
const PLAN = {
  name: 'Tea of the month',
  description: 'A tin of tea every month',
  type: 'fixed',
  payment_definitions: [
    {
      name: 'Full price',
      type: 'REGULAR',
      frequency: 'MONTH',
      frequency_interval: '2',
      amount: usd('19.99'),
      cycles: '12',
      charge_models: [
        { type: 'SHIPPING', amount: usd('2.50') },
        { type: 'TAX', amount: usd('1.60') },
      ],
    },
    {
      name: 'First tins',
      type: 'TRIAL',
      frequency: 'MONTH',
      frequency_interval: '1',
      amount: usd('9.19'),
      cycles: '2',
      charge_models: [],
    },
  ],
  merchant_preferences: {
    setup_fee: usd('1.00'),
    return_url: 'https://shop.example/subscribed',
    cancel_url: 'https://shop.example/not-subscribed',
    autobill_amount: 'YES',
    initial_amount_fail_action: 'CONTINUE',
    max_fail_attempts: '0',
  },
};
const ADDRESS = {
  line1: '12 Leaf Street',
  line2: 'Back door',
  city: 'Saratoga',
  state: 'CA',
  postal_code: '95070',
  country_code: 'US',
};

let planId: string;
const sandbox = forAllTests(() => SandboxFixture.start());
afterAll(async () => {
  expect(await sandbox.violations()).toEqual([]);
});

const createPlan = (body: object = PLAN) => sandbox.call('POST', PLANS, body);

/** A plan in which agreements can be made; made once. */
async function activePlan(): Promise<string> {
  if (planId !== undefined) return planId;
  const { status, body } = await createPlan();
  expect(status, JSON.stringify(body)).toBe(201);
  const activation = [{ op: 'replace', path: '/', value: { state: 'ACTIVE' } }];
  expect((await sandbox.call('PATCH', `${PLANS}/${body.id}`, activation)).status).toBe(200);
  return (planId = body.id);
}

/** Accepted, kept and told again (amounts as decimals); another type is refused by name. */
async function expectOfPlan(path: string, wrong: unknown = { not: 'this' }): Promise<void> {
  const look = await sandbox.call('GET', `${PLANS}/${await activePlan()}`);
  const [reported, sent] = [at(look.body, path), at(PLAN, path)];
  if (path.endsWith('.value')) expect(Number(reported)).toBe(Number(sent));
  else expect(String(reported).toUpperCase()).toBe(String(sent).toUpperCase());
  expectRefusalOf(path, await createPlan(having(PLAN, path, wrong)));
}

describeSection('2.5', {
  name: () => expectOfPlan('name'),
  description: () => expectOfPlan('description'),
  type: async () => {
    await expectOfPlan('type', 'sometimes');
    expect((await createPlan({ ...PLAN, type: 'FIXED' })).status).toBe(201);
  },
  payment_definitions: async () => {
    const look = await sandbox.call('GET', `${PLANS}/${await activePlan()}`);
    expect(look.body.payment_definitions).toHaveLength(2);
    expectRefusalOf('payment_definitions', await createPlan({ ...PLAN, payment_definitions: [] }));
  },
  'payment_definitions[].name': () => expectOfPlan('payment_definitions[].name'),
  'payment_definitions[].type': async () => {
    await expectOfPlan('payment_definitions[].type', 'SOMETIMES');
    const look = await sandbox.call('GET', `${PLANS}/${await activePlan()}`);
    const types = look.body.payment_definitions.map(({ type }: { type: string }) => type);
    expect(types.sort()).toEqual(['REGULAR', 'TRIAL']);
  },
  'payment_definitions[].frequency': () => expectOfPlan('payment_definitions[].frequency', 'FULL MOON'),
  'payment_definitions[].frequency_interval': () =>
    expectOfPlan('payment_definitions[].frequency_interval', 'often'),
  'payment_definitions[].amount.value': () => expectOfPlan('payment_definitions[].amount.value', 'much'),
  'payment_definitions[].amount.currency': () => expectOfPlan('payment_definitions[].amount.currency', 'tea'),
  'payment_definitions[].cycles': () => expectOfPlan('payment_definitions[].cycles', '1.5'),
  'payment_definitions[].charge_models': async () => {
    const look = await sandbox.call('GET', `${PLANS}/${await activePlan()}`);
    const models = look.body.payment_definitions[0].charge_models;
    expect(
      models.map(({ type, amount }: { type: string; amount: { value: string; currency: string } }) => [
        type,
        Number(amount.value),
        amount.currency,
      ]),
    ).toEqual([
      ['SHIPPING', 2.5, 'USD'],
      ['TAX', 1.6, 'USD'],
    ]);
    const path = 'payment_definitions[].charge_models[].type';
    expectRefusalOf('payment_definitions[].charge_models', await createPlan(having(PLAN, path, 'TIP')));
  },
  'merchant_preferences.setup_fee': async () => {
    await expectOfPlan('merchant_preferences.setup_fee.value', 'much');
    await expectOfPlan('merchant_preferences.setup_fee.currency', 'tea');
  },
  'merchant_preferences.return_url': () => expectOfPlan('merchant_preferences.return_url', 'nowhere'),
  'merchant_preferences.cancel_url': () => expectOfPlan('merchant_preferences.cancel_url', 'nowhere'),
  'merchant_preferences.autobill_amount': async () => {
    await expectOfPlan('merchant_preferences.autobill_amount', 'PERHAPS');
    const look = await sandbox.call('GET', `${PLANS}/${await activePlan()}`);
    expect(look.body.merchant_preferences.auto_bill_amount).toBe('YES');
  },
  'merchant_preferences.initial_amount_fail_action': async () => {
    await expectOfPlan('merchant_preferences.initial_amount_fail_action', 'PANIC');
    const look = await sandbox.call('GET', `${PLANS}/${await activePlan()}`);
    expect(look.body.merchant_preferences.initial_fail_amount_action).toBe('CONTINUE');
  },
  'merchant_preferences.max_fail_attempts': () =>
    expectOfPlan('merchant_preferences.max_fail_attempts', 'never'),
});

const inAMinute = () => new Date(Date.now() + 60_000).toISOString().replace(/\.\d+Z$/, 'Z');

async function agreementRequest() {
  return {
    name: 'Tea for me',
    description: 'One tin a month',
    start_date: inAMinute(),
    plan: { id: await activePlan() },
    payer: { payment_method: 'wallet' },
    shipping_address: ADDRESS,
  };
}

/** Made and approved; each field is told again by the agreement, and another type of it is refused by name. */
async function expectOfAgreement(paths: string[], wrong: unknown = { not: 'this' }): Promise<void> {
  const request = await agreementRequest();
  const created = await sandbox.call('POST', AGREEMENTS, request);
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  expect(approvalAddress(created.body)).toEqual(absoluteUrl);
  const token = (await approveAsPayer(created.body)).searchParams.get('token');
  const executed = await sandbox.call('POST', `${AGREEMENTS}/${token}/agreement-execute`, {});
  expect(executed.body.id, JSON.stringify(executed.body)).toEqual(identifier);
  const { body } = await sandbox.call('GET', `${AGREEMENTS}/${executed.body.id}`);
  for (const path of paths) {
    if (path === 'start_date') expect(Date.parse(body.start_date)).toBe(Date.parse(request.start_date));
    else if (path !== 'plan.id') expect(at(body, path)).toBe(at(request, path));
    expectRefusalOf(path, await sandbox.call('POST', AGREEMENTS, having(request, path, wrong)));
  }
}

describeSection('2.6', {
  name: () => expectOfAgreement(['name']),
  description: () => expectOfAgreement(['description']),
  start_date: () => expectOfAgreement(['start_date'], 'soon'),
  'plan.id': async () => {
    await expectOfAgreement(['plan.id']);
    const request = having(await agreementRequest(), 'plan.id', 'P-94458432VR012762KRWBZEUA');
    expect(await sandbox.call('POST', AGREEMENTS, request)).toMatchObject({
      status: 404,
      body: { name: 'TEMPLATE_ID_INVALID' },
    });
  },
  'payer.payment_method': () => expectOfAgreement(['payer.payment_method']),
  'shipping_address.line1, line2, city, state, postal_code, country_code': async () => {
    await expectOfAgreement(Object.keys(ADDRESS).map((name) => `shipping_address.${name}`));
    await expectOfAgreement(['shipping_address.country_code'], 'USA');
  },
});
