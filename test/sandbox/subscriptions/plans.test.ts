import { describe, expect, test } from 'vitest';
import { forAllTests } from '../../helpers/shared.js';
import { SandboxFixture } from '../sandbox-fixture.js';
import { planBody, PLANS, regular, Subscriptions, trial } from './subscription-calls.js';
import { usd } from '../../helpers/usd.js';

const sandbox = forAllTests(() => SandboxFixture.start());
const subscriptions = new Subscriptions(sandbox);

/** The letters of the public API, as its recorded clients write them. */
const publicPlan = {
  name: 'Infinite',
  description: 'Regular after a trial',
  type: 'INFINITE',
  payment_definitions: [
    regular({
      amount: usd('100'),
      cycles: '0',
      charge_models: [
        { type: 'SHIPPING', amount: usd('10.60') },
        { type: 'TAX', amount: usd('20') },
      ],
    }),
    trial({ amount: usd('20'), cycles: '4' }),
  ],
  merchant_preferences: {
    auto_bill_amount: 'yes',
    initial_fail_amount_action: 'continue',
    max_fail_attempts: '1',
    setup_fee: usd('25'),
    return_url: 'http://shop.example/return',
    cancel_url: 'http://shop.example/cancel',
  },
};

const eventsOf = async (planId: string) =>
  (
    await sandbox.sql(`SELECT event_type FROM events WHERE resource_id = '${planId}' ORDER BY created_at`)
  ).map((row) => row['event_type']);

describe('the two dialects', () => {
  test('a plan in the public spelling is answered in it, amounts in their shortest form', async () => {
    const { status, body } = await sandbox.call('POST', `${PLANS}/`, publicPlan);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      state: 'CREATED',
      type: 'INFINITE',
      payee: { merchant_id: expect.any(String) },
    });
    const [definition] = body.payment_definitions;
    expect(definition).toMatchObject({
      type: 'REGULAR',
      frequency: 'Month',
      frequency_interval: '1',
      cycles: '0',
      amount: usd('100'),
      charge_models: [
        { type: 'SHIPPING', amount: usd('10.6') },
        { type: 'TAX', amount: usd('20') },
      ],
    });
    expect(body.merchant_preferences).toMatchObject({
      setup_fee: usd('25'),
      max_fail_attempts: '1',
      auto_bill_amount: 'YES',
      autobill_amount: 'YES',
      initial_fail_amount_action: 'CONTINUE',
      initial_amount_fail_action: 'CONTINUE',
    });
    expect(body.links).toEqual([{ href: `${sandbox.url}${PLANS}/${body.id}`, rel: 'self', method: 'GET' }]);
    expect((await sandbox.call('GET', `${PLANS}/${body.id}`)).body).toEqual(body);
  });

  test('a plan in the specification’s spelling keeps its type, and may use both spellings alike', async () => {
    const created = await subscriptions.createPlan(
      planBody({}, { autobill_amount: 'YES', auto_bill_amount: 'yes', initial_amount_fail_action: 'CANCEL' }),
    );
    expect(created.body).toMatchObject({
      type: 'fixed',
      merchant_preferences: { auto_bill_amount: 'YES', initial_fail_amount_action: 'CANCEL' },
    });
  });
});

describe('changing', () => {
  test('goes from created to active, inactive, active and deleted, and no other way', async () => {
    const { id } = (await subscriptions.createPlan()).body;
    const become = async (state: string) => {
      const { status, body } = await subscriptions.patchPlan(id, '/', { state });
      return status === 200 ? body : body.details[0].field;
    };
    expect(await become('INACTIVE')).toBe('state');
    expect(await become('ACTIVE')).toBe('');
    expect(await become('ACTIVE')).toBe('');
    expect(await become('CREATED')).toBe('state');
    expect(await become('INACTIVE')).toBe('');
    expect(await become('ACTIVE')).toBe('');
    expect(await become('DELETED')).toBe('');
    expect(await become('ACTIVE')).toBe('state');
    expect((await sandbox.call('GET', `${PLANS}/${id}`)).body.state).toBe('DELETED');
    expect(await eventsOf(id)).toEqual([
      'BILLING.PLAN.CREATED',
      'BILLING.PLAN.ACTIVATED',
      'BILLING.PLAN.DEACTIVATED',
      'BILLING.PLAN.ACTIVATED',
      'BILLING.PLAN.UPDATED',
    ]);
  });

  test('replaces preferences and single definitions', async () => {
    const created = await subscriptions.createPlan();
    const { id, payment_definitions } = created.body;
    const preferences = { cancel_url: 'http://other.example/', setup_fee: usd('22') };
    expect(await subscriptions.patchPlan(id, '/merchant-preferences', preferences)).toMatchObject({
      status: 200,
      body: '',
    });
    const path = `/payment-definitions/${payment_definitions[0].id}`;
    expect(
      (await subscriptions.patchPlan(id, path, { amount: usd('12.50'), frequency: 'Week' })).status,
    ).toBe(200);
    const changed = (await sandbox.call('GET', `${PLANS}/${id}`)).body;
    expect(changed.merchant_preferences).toMatchObject({
      ...preferences,
      return_url: created.body.merchant_preferences.return_url,
    });
    expect(changed.payment_definitions[0]).toMatchObject({
      amount: usd('12.5'),
      frequency: 'Week',
      cycles: '12',
    });
    expect(await eventsOf(id)).toEqual([
      'BILLING.PLAN.CREATED',
      'BILLING.PLAN.UPDATED',
      'BILLING.PLAN.UPDATED',
    ]);
  });

  test.each<[string, object[], string]>([
    ['an unknown operation', [{ op: 'add', path: '/', value: {} }], '[0].op'],
    ['an unknown path', [{ op: 'replace', path: '/name', value: 'x' }], '[0].path'],
    ['an unknown definition', [{ op: 'replace', path: '/payment-definitions/PD-1', value: {} }], '[0].path'],
    ['an unknown field', [{ op: 'replace', path: '/', value: { colour: 'red' } }], '[0].value.colour'],
    ['nothing', [], 'body'],
    [
      'another currency',
      [
        {
          op: 'replace',
          path: '/merchant-preferences',
          value: { setup_fee: { value: '1', currency: 'EUR' } },
        },
      ],
      '[0].value.setup_fee.currency',
    ],
  ])('refuses %s, and changes nothing', async (_what, patches, field) => {
    const { body: plan } = await subscriptions.createPlan();
    const refused = await sandbox.call('PATCH', `${PLANS}/${plan.id}`, patches);
    expect([refused.status, refused.body.details[0].field]).toEqual([400, field]);
    expect((await sandbox.call('GET', `${PLANS}/${plan.id}`)).body).toEqual(plan);
  });

  test('does not affect agreements that were made before', async () => {
    const planId = await subscriptions.activePlan();
    const token = await subscriptions.approved(planId);
    await subscriptions.patchPlan(planId, '/merchant-preferences', { setup_fee: usd('9') });
    const executed = await subscriptions.execute(token);
    expect(executed.body.plan.merchant_preferences.setup_fee.value).toBe('0.00');
  });

  test('answers unknown plans, and those of others, alike', async () => {
    const { id } = (await subscriptions.createPlan()).body;
    await sandbox.request('PUT', '/admin/applications/other', { clientSecret: 'other-secret' });
    const headers = { authorization: `Bearer ${await sandbox.newToken('other', 'other-secret')}` };
    const answers = [
      await sandbox.request('GET', `${PLANS}/${id}`, undefined, headers),
      await sandbox.request(
        'PATCH',
        `${PLANS}/${id}`,
        [{ op: 'replace', path: '/', value: { state: 'ACTIVE' } }],
        headers,
      ),
      await sandbox.call('GET', `${PLANS}/ABRACADABRA`),
      await sandbox.call('GET', `${PLANS}/no%20plan`),
    ];
    for (const answer of answers)
      expect([answer.status, answer.body.name]).toEqual([404, 'TEMPLATE_ID_INVALID']);
  });
});
