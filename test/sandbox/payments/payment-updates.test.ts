import * as fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { forAllTests } from '../../helpers/shared.js';
import { PAYER_ID, SandboxFixture, type PaymentChanges } from '../sandbox-fixture.js';
import { cardPayment, payment } from './payment-service.js';

const ADDRESS = {
  recipient_name: 'Anna Gruneberg',
  line1: 'Kathwarinenhof 1',
  city: 'Flensburg',
  postal_code: '24939',
  country_code: 'DE',
};
const AMOUNT = { total: '18.37', currency: 'EUR', details: { subtotal: '13.37', shipping: '5.00' } };
const ITEM = { name: 'Tea', quantity: '2', price: '50.00', currency: 'USD' };

const replace = (path: string, value: unknown) => ({ op: 'replace', path: `/transactions/0/${path}`, value });
const add = (path: string, value: unknown) => ({ op: 'add', path: `/transactions/0/${path}`, value });
const remove = (path: string) => ({ op: 'remove', path: `/transactions/0/${path}` });

describe('an update of a payment', () => {
  const sandbox = forAllTests(() => SandboxFixture.start());
  afterAll(async () => {
    expect(await sandbox.violations()).toEqual([]);
  });

  const update = (paymentId: string, patch: unknown) =>
    sandbox.call('PATCH', `/v1/payments/payment/${paymentId}`, patch);
  const created = async (changes: PaymentChanges = {}): Promise<string> =>
    (await sandbox.createPayment(changes)).body.id;

  it('changes its amount and shipping address, and it is executed with them', async () => {
    const id = await created();
    const { status, body } = await update(id, [
      replace('amount', AMOUNT),
      add('item_list/shipping_address', ADDRESS),
    ]);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id,
      state: 'created',
      transactions: [{ amount: AMOUNT, item_list: { shipping_address: ADDRESS } }],
    });
    expect(body.links.map(({ rel }: { rel: string }) => rel)).toEqual(['self', 'approval_url', 'execute']);
    expect(await payment(sandbox, id)).toEqual(body);
    await sandbox.approve(id);
    expect((await sandbox.execute(id)).body.transactions[0].amount).toEqual(AMOUNT);
    expect(await sandbox.movements(id)).toMatchObject([{ kind: 'hold', amountMinor: 1837, currency: 'EUR' }]);
  });

  it('changes its references, and removes them', async () => {
    const id = await created({
      transaction: { invoice_number: 'old', description: 'Tea', item_list: { items: [ITEM] } },
    });
    const { body } = await update(id, [
      replace('invoice_number', 'new'),
      add('custom', 'ours'),
      remove('description'),
      add('note_to_payee', 'Ship soon'),
      { op: 'add', path: '/payer/payer_info', value: { tax_id: '1', tax_id_type: 'BR_CPF' } },
    ]);
    expect(body.transactions[0]).toMatchObject({
      invoice_number: 'new',
      custom: 'ours',
      note_to_payee: 'Ship soon',
      item_list: { items: [ITEM] },
    });
    expect(body.transactions[0]).not.toHaveProperty('description');
    expect(body.payer).toEqual({
      payment_method: 'wallet',
      payer_info: { tax_id: '1', tax_id_type: 'BR_CPF' },
    });
    const anonymous = await update(id, [{ op: 'remove', path: '/payer/payer_info' }]);
    expect(anonymous.body.payer).toEqual({ payment_method: 'wallet' });
    await sandbox.approve(id);
    await sandbox.execute(id);
    expect(await sandbox.movements(id)).toMatchObject([{ invoiceNumber: 'new', custom: 'ours' }]);
  });

  it('keeps its items consistent with its amount', async () => {
    const id = await created({ transaction: { item_list: { items: [ITEM] } } });
    const dearer = { total: '150.00', currency: 'USD' };
    const alone = await update(id, [replace('amount', dearer)]);
    expect(alone.body).toMatchObject({
      name: 'VALIDATION_ERROR',
      details: [{ field: 'transactions[0].item_list.items' }],
    });
    const both = [replace('amount', dearer), replace('item_list/items', [{ ...ITEM, quantity: '3' }])];
    expect((await update(id, both)).status).toBe(200);
    expect((await payment(sandbox, id)).transactions[0].amount.total).toBe('150.00');
  });

  it('can come between the payer’s approval and the execution', async () => {
    const id = await created();
    await sandbox.approve(id);
    const { body } = await update(id, [replace('amount', { total: '90.00', currency: 'USD' })]);
    expect(body.payer.payer_info.payer_id).toBe(PAYER_ID);
    expect((await sandbox.execute(id)).status).toBe(200);
    expect(await sandbox.booksOf(id)).toEqual(['hold 9000']);
  });

  it('is refused once it is executed, and when it has expired', async () => {
    const patch = [replace('amount', { total: '90.00', currency: 'USD' })];
    const { paymentId } = await sandbox.authorized();
    expect(await update(paymentId, patch)).toMatchObject({
      status: 400,
      body: { name: 'PAYMENT_STATE_INVALID' },
    });
    const card = await sandbox.call('POST', '/v1/payments/payment', cardPayment());
    expect((await update(card.body.id, patch)).body.name).toBe('PAYMENT_STATE_INVALID');
    await sandbox.configure({ approvalWindowMs: 1 });
    const id = await created();
    await sandbox.configure({});
    expect((await update(id, patch)).body.name).toBe('PAYMENT_EXPIRED');
    expect((await update('PAY-NONE', patch)).body.name).toBe('INVALID_RESOURCE_ID');
  });

  it.each([['x'], [5], [true], [['a']], [[]]])(
    'does not change an item within a list that the same patch made %j',
    async (value) => {
      const id = await created();
      for (const then of [add('item_list/items', []), remove('item_list/items')]) {
        const { status, body } = await update(id, [add('item_list', value), then]);
        expect(status).toBe(400);
        expect(body.details).toEqual([{ field: '[1].path', issue: expect.any(String) }]);
      }
    },
  );

  it('is made or refused with a 4xx, whatever the patch', async () => {
    const id = await created();
    const path = fc.oneof(
      fc.constantFrom(
        ...['amount', 'description', 'item_list', 'item_list/items', 'item_list/shipping_address'].map(
          (name) => `/transactions/0/${name}`,
        ),
        '/payer/payer_info',
        '/transactions/0/__proto__',
        '/__proto__/polluted',
      ),
      fc.string({ maxLength: 20 }),
    );
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom(...['{"__proto__":{"polluted":1}}', '{"toString":1}'].map((text) => JSON.parse(text))),
    );
    const operation = fc.record(
      { op: fc.constantFrom('add', 'replace', 'remove'), path, value },
      { requiredKeys: ['op', 'path'] },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 4 }), async (patch) => {
        expect((await update(id, patch)).status).toBeLessThan(500);
      }),
      { numRuns: 300 },
    );
    expect({}).not.toHaveProperty('polluted');
  });

  it('at the moment of the execution leads to the one amount or the other', async () => {
    for (let round = 0; round < 10; round += 1) {
      const id = await created();
      await sandbox.approve(id);
      const [changed, executed] = await Promise.all([
        update(id, [replace('amount', { total: '90.00', currency: 'USD' })]),
        sandbox.execute(id),
      ]);
      expect(executed.status).toBe(200);
      const minor = changed.status === 200 ? 9000 : 10000;
      expect(await sandbox.booksOf(id)).toEqual([`hold ${minor}`]);
      expect(await payment(sandbox, id)).toMatchObject({ transactions: executed.body.transactions });
    }
  });

  it.each<[string, unknown, string]>([
    ['nothing', [], 'body'],
    ['no list', { op: 'replace' }, 'body'],
    [
      'an operation that is not taken',
      [{ op: 'move', from: '/a', path: '/transactions/0/custom' }],
      '[0].op',
    ],
    ['the payee', [replace('payee', { email: 'thief@example.com' })], '[0].path'],
    ['the state', [{ op: 'replace', path: '/state', value: 'approved' }], '[0].path'],
    ['the intent', [{ op: 'replace', path: '/intent', value: 'sale' }], '[0].path'],
    [
      'a return address',
      [{ op: 'replace', path: '/redirect_urls/return_url', value: 'https://x.example' }],
      '[0].path',
    ],
    ['a second transaction', [{ op: 'add', path: '/transactions/1', value: {} }], '[0].path'],
    ['a part of an amount', [replace('amount/total', '5.00')], '[0].path'],
    ['the prototype', [{ op: 'add', path: '/__proto__/polluted', value: 'x' }], '[0].path'],
    ['a description that is not there', [replace('description', 'x')], '[0].path'],
    ['an address of a list that is not there', [replace('item_list/shipping_address', ADDRESS)], '[0].path'],
    ['the amount to nothing', [remove('amount')], '[0].op'],
    ['no value', [add('custom', undefined)], '[0].value'],
    ['a value that is none', [add('custom', 7)], 'transactions[0].custom'],
    [
      'an amount that is none',
      [replace('amount', { total: '1.001', currency: 'USD' })],
      'transactions[0].amount.total',
    ],
    [
      'details that do not add up',
      [replace('amount', { ...AMOUNT, total: '1.00' })],
      'transactions[0].amount.total',
    ],
    [
      'an address without a country',
      [add('item_list/shipping_address', { line1: 'x' })],
      'transactions[0].item_list.shipping_address.country_code',
    ],
    ['the second of two', [add('custom', 'ours'), replace('state', 'approved')], '[1].path'],
  ])('is refused, without effect, when the patch changes %s', async (_, patch, field) => {
    const { body: before } = await sandbox.createPayment();
    const { status, body } = await update(before.id, patch);
    expect(status).toBe(400);
    expect(body.details.map((detail: { field: string }) => detail.field)).toContain(field);
    expect(await payment(sandbox, before.id)).toEqual(before);
  });
});
