import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SandboxFixture } from '../sandbox-fixture.js';
import { planBody, PLANS, regular, Subscriptions, trial } from './subscription-calls.js';

let sandbox: SandboxFixture;
let subscriptions: Subscriptions;

beforeAll(async () => {
  sandbox = await SandboxFixture.start();
  subscriptions = new Subscriptions(sandbox);
});
afterAll(() => sandbox.stop());

const usd = (value: string) => ({ value, currency: 'USD' });

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

describe('both dialects', () => {
  test('a plan in public letters is answered in public letters, amounts in their shortest form', async () => {
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

  test('a plan in the letters of the specification keeps its type, and may say both spellings alike', async () => {
    const created = await subscriptions.createPlan(
      planBody({}, { autobill_amount: 'YES', auto_bill_amount: 'yes', initial_amount_fail_action: 'CANCEL' }),
    );
    expect(created.body).toMatchObject({
      type: 'fixed',
      merchant_preferences: { auto_bill_amount: 'YES', initial_fail_amount_action: 'CANCEL' },
    });
  });
});

describe('what makes no sense is refused by its field', () => {
  const definitions = (...list: object[]) => ({ payment_definitions: list });
  test.each<[string, object, string]>([
    ['no name', planBody({ name: undefined }), 'name'],
    ['an unknown field', planBody({ colour: 'red' }), 'colour'],
    ['an unknown type', planBody({ type: 'forever' }), 'type'],
    ['no definition', planBody(definitions()), 'payment_definitions'],
    ['only a trial', planBody(definitions(trial())), 'payment_definitions'],
    ['two trials', planBody(definitions(trial(), trial())), 'payment_definitions'],
    [
      'cycles without end in a fixed plan',
      planBody(definitions(regular({ cycles: '0' }))),
      'payment_definitions[0].cycles',
    ],
    ['cycles in an infinite plan', planBody({ type: 'INFINITE' }), 'payment_definitions[0].cycles'],
    [
      'cycles that are no number',
      planBody(definitions(regular({ cycles: '-1' }))),
      'payment_definitions[0].cycles',
    ],
    ['broken cycles', planBody(definitions(regular({ cycles: 1.5 }))), 'payment_definitions[0].cycles'],
    [
      'an unknown frequency',
      planBody(definitions(regular({ frequency: 'HOUR' }))),
      'payment_definitions[0].frequency',
    ],
    [
      'no interval',
      planBody(definitions(regular({ frequency_interval: '0' }))),
      'payment_definitions[0].frequency_interval',
    ],
    [
      '13 months',
      planBody(definitions(regular({ frequency_interval: '13' }))),
      'payment_definitions[0].frequency_interval',
    ],
    [
      'nothing to pay',
      planBody(definitions(regular({ amount: usd('0') }))),
      'payment_definitions[0].amount.value',
    ],
    [
      'half a cent',
      planBody(definitions(regular({ amount: usd('1.005') }))),
      'payment_definitions[0].amount.value',
    ],
    [
      'an unknown currency',
      planBody(definitions(regular({ amount: { value: '1', currency: 'XXY' } }))),
      'payment_definitions[0].amount.currency',
    ],
    [
      'two currencies',
      planBody(definitions(regular(), trial({ amount: { value: '1', currency: 'EUR' } }))),
      'payment_definitions[1].amount.currency',
    ],
    [
      'a fee in another currency',
      planBody({}, { setup_fee: { value: '1', currency: 'EUR' } }),
      'merchant_preferences.setup_fee.currency',
    ],
    [
      'a charge of an unknown kind',
      planBody(definitions(regular({ charge_models: [{ type: 'TIP', amount: usd('1') }] }))),
      'payment_definitions[0].charge_models[0].type',
    ],
    [
      'the same charge twice',
      planBody(
        definitions(
          regular({
            charge_models: [
              { type: 'TAX', amount: usd('1') },
              { type: 'TAX', amount: usd('2') },
            ],
          }),
        ),
      ),
      'payment_definitions[0].charge_models[1].type',
    ],
    ['no return address', planBody({}, { return_url: undefined }), 'merchant_preferences.return_url'],
    [
      'an address that is none',
      planBody({}, { return_url: 'javascript:alert(1)' }),
      'merchant_preferences.return_url',
    ],
    [
      'spellings that contradict each other',
      planBody({}, { autobill_amount: 'YES', auto_bill_amount: 'NO' }),
      'merchant_preferences.autobill_amount',
    ],
    [
      'actions that contradict each other',
      planBody({}, { initial_amount_fail_action: 'CANCEL', initial_fail_amount_action: 'CONTINUE' }),
      'merchant_preferences.initial_amount_fail_action',
    ],
  ])('%s', async (_what, body, field) => {
    const refused = await sandbox.call('POST', PLANS, body);
    expect([refused.status, refused.body.name]).toEqual([400, 'VALIDATION_ERROR']);
    expect(refused.body.details.map((detail: { field: string }) => detail.field)).toContain(field);
  });
});

describe('changing', () => {
  const eventsOf = async (planId: string) =>
    (
      await sandbox.sql(`SELECT event_type FROM events WHERE resource_id = '${planId}' ORDER BY created_at`)
    ).map((row) => row['event_type']);

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

  test('leaves agreements alone that were made before', async () => {
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

describe('listing', () => {
  let lister: Record<string, string>;
  const names: string[] = [];

  beforeAll(async () => {
    await sandbox.request('PUT', '/admin/applications/lister', { clientSecret: 'lister-secret' });
    lister = { authorization: `Bearer ${await sandbox.newToken('lister', 'lister-secret')}` };
    for (let number = 0; number < 7; number += 1) {
      const created = await sandbox.request('POST', PLANS, planBody({ name: `Plan ${number}` }), lister);
      const state = ['CREATED', 'ACTIVE', 'DELETED'][number < 4 ? 0 : number - 4];
      await sandbox.request(
        'PATCH',
        `${PLANS}/${created.body.id}`,
        [{ op: 'replace', path: '/', value: { state } }],
        lister,
      );
      names.unshift(`Plan ${number}`);
    }
  });

  const list = (query: string) => sandbox.request('GET', `${PLANS}/${query}`, undefined, lister);
  const namesIn = (body: { plans: { name: string }[] }) => body.plans.map(({ name }) => name);

  test('shows created plans, the newest first, where no status is asked for', async () => {
    const { status, body } = await list('');
    expect([status, namesIn(body)]).toEqual([200, ['Plan 4', 'Plan 3', 'Plan 2', 'Plan 1', 'Plan 0']]);
    expect(body).not.toHaveProperty('total_items');
    expect(body.plans[0]).not.toHaveProperty('payment_definitions');
    expect(namesIn((await list('?status=active')).body)).toEqual(['Plan 5']);
    expect(namesIn((await list('?status=ALL')).body)).toEqual(names.slice(1));
    expect((await list('?status=DELETED')).status).toBe(400);
  });

  test('goes through its pages by their links, and counts when it is asked to', async () => {
    const first = (await list('?page_size=2&total_required=yes')).body;
    expect([first.total_items, first.total_pages]).toEqual(['5', '3']);
    const seen = namesIn(first);
    let page = first;
    for (;;) {
      const next = page.links.find((link: { rel: string }) => link.rel === 'next_page');
      if (next === undefined) break;
      const { pathname, search } = new URL(next.href);
      page = (await sandbox.request('GET', pathname + search, undefined, lister)).body;
      seen.push(...namesIn(page));
    }
    expect(seen).toEqual(['Plan 4', 'Plan 3', 'Plan 2', 'Plan 1', 'Plan 0']);
  });

  test.each(['?page=-1', '?page_size=21', '?page_size=x', '?total_required=maybe'])(
    'refuses %s',
    async (query) => {
      expect((await list(query)).status).toBe(400);
    },
  );
});
