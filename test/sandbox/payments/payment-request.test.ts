import { describe, expect, it } from 'vitest';
import { forAllTests } from '../../helpers/shared.js';
import { paymentBody, SandboxFixture, type PaymentChanges } from '../sandbox-fixture.js';
import { payment } from './payment-service.js';
import { ADDRESS, ITEMS, PAYMENT, TRANSACTION } from './whole-payment.js';

describe('a payment request', () => {
  const sandbox = forAllTests(() => SandboxFixture.start());

  const create = (changes: PaymentChanges) => sandbox.createPayment(changes);
  const fieldsOf = async (changes: PaymentChanges) => {
    const { status, body } = await create(changes);
    expect(status).toBe(400);
    return body.details.map(({ field }: { field: string }) => field) as string[];
  };

  it('gets every field of the public API back', async () => {
    const { status, body } = await create({ transaction: TRANSACTION, payment: PAYMENT });
    expect(status).toBe(201);
    expect(body).toMatchObject({ ...PAYMENT, transactions: [TRANSACTION] });
    expect(await payment(sandbox, body.id)).toEqual(body);

    await sandbox.approve(body.id);
    const executed = await sandbox.execute(body.id);
    expect(executed.body.transactions[0]).toMatchObject(TRANSACTION);
    expect(executed.body.payer.payer_info).toMatchObject({
      tax_id: 'Fh618775690',
      payer_id: 'SANDBOXPAYER1',
      email: 'payer@sandbox.example',
      shipping_address: ADDRESS,
    });
  });

  it('has prices with all decimals, item counts as numbers, and long texts cut off as in the public API', async () => {
    const item = { name: 'n'.repeat(200), quantity: 2, price: '5', currency: 'JPY' };
    const { body } = await create({
      transaction: {
        amount: { total: '10', currency: 'JPY' },
        item_list: { items: [item] },
        soft_descriptor: 's'.repeat(30),
      },
    });
    const [transaction] = body.transactions;
    expect(transaction.item_list.items).toEqual([
      { name: 'n'.repeat(127), quantity: '2', price: '5', currency: 'JPY' },
    ]);
    expect(transaction.soft_descriptor).toBe('s'.repeat(22));
  });

  it('may contain null instead of nothing', async () => {
    const { status, body } = await create({
      transaction: { description: null, item_list: null, payee: null },
      payment: { note_to_payer: null, payer: { payment_method: 'paypal', payer_info: null } },
    });
    expect(status).toBe(201);
    expect(body).not.toHaveProperty('note_to_payer');
    expect(body.transactions[0]).not.toHaveProperty('item_list');
    expect(await fieldsOf({ transaction: { amount: null } })).toEqual(['transactions[0].amount']);
  });

  it('may give the shipping discount with a minus sign, as the public description does', async () => {
    const details = {
      subtotal: '30.00',
      tax: '0.07',
      shipping: '0.03',
      handling_fee: '1.00',
      shipping_discount: '-1.00',
      insurance: '0.01',
    };
    const { body } = await create({ transaction: { amount: { total: '30.11', currency: 'USD', details } } });
    expect(body.transactions[0].amount.details).toEqual(details);
    const added = { total: '32.11', currency: 'USD', details };
    expect(await fieldsOf({ transaction: { amount: added } })).toEqual(['transactions[0].amount.total']);
  });

  it.each<[string, PaymentChanges, string]>([
    [
      'items that do not add up to the subtotal',
      { transaction: { ...TRANSACTION, item_list: { items: ITEMS.slice(1) } } },
      'transactions[0].item_list.items',
    ],
    [
      'items that do not add up to the total',
      { transaction: { item_list: { items: ITEMS } } },
      'transactions[0].item_list.items',
    ],
    [
      'an item in another currency',
      { total: '17.00', transaction: { item_list: { items: [{ ...ITEMS[1], currency: 'EUR' }] } } },
      'transactions[0].item_list.items[0].currency',
    ],
    [
      'an item with too many decimals',
      { total: '17.00', transaction: { item_list: { items: [{ ...ITEMS[1], price: '17.001' }] } } },
      'transactions[0].item_list.items[0].price',
    ],
    [
      'half an item',
      { total: '17.00', transaction: { item_list: { items: [{ ...ITEMS[1], quantity: '0.5' }] } } },
      'transactions[0].item_list.items[0].quantity',
    ],
    [
      'an item without a price',
      { transaction: { item_list: { items: [{ name: 'Tea', quantity: '1', currency: 'USD' }] } } },
      'transactions[0].item_list.items[0].price',
    ],
    [
      'an address without its first line',
      { transaction: { item_list: { shipping_address: { country_code: 'US' } } } },
      'transactions[0].item_list.shipping_address.line1',
    ],
    [
      'a country that is none',
      { transaction: { item_list: { shipping_address: { ...ADDRESS, country_code: 'usa' } } } },
      'transactions[0].item_list.shipping_address.country_code',
    ],
    [
      'a provided address that it does not provide',
      { payment: { application_context: { shipping_preference: 'SET_PROVIDED_ADDRESS' } } },
      'application_context.shipping_preference',
    ],
    [
      'an unknown way to pay',
      { transaction: { payment_options: { allowed_payment_method: 'BARTER' } } },
      'transactions[0].payment_options.allowed_payment_method',
    ],
    [
      'a tax id that is too long',
      { payment: { payer: { payment_method: 'paypal', payer_info: { tax_id: 'x'.repeat(15) } } } },
      'payer.payer_info.tax_id',
    ],
    [
      'an unknown field of the context',
      { payment: { application_context: { colour: 'red' } } },
      'application_context.colour',
    ],
    [
      'an unknown field of an item list',
      { transaction: { item_list: { colour: 'red' } } },
      'transactions[0].item_list.colour',
    ],
    [
      'a detail below nothing',
      { transaction: { amount: withDetail('tax', '-1.00') } },
      'transactions[0].amount.details.tax',
    ],
  ])('is refused with %s', async (_, changes, field) => {
    expect(await fieldsOf(changes)).toContain(field);
  });

  it('sums items exactly, however many there are', async () => {
    const item = { name: 'screw', quantity: '3', price: '33333.33', currency: 'USD' };
    const { status } = await create({ total: '99999.99', transaction: { item_list: { items: [item] } } });
    expect(status).toBe(201);
    const many = { ...item, quantity: '9999999999', price: '9999999.99' };
    expect(await fieldsOf({ transaction: { item_list: { items: [many] } } })).toEqual([
      'transactions[0].item_list.items',
    ]);
  });

  it('answers in the order of the request, whatever the page of a list', async () => {
    const { body } = await sandbox.call(
      'POST',
      '/v1/payments/payment/',
      paymentBody({ transaction: TRANSACTION }),
    );
    const list = await sandbox.call('GET', '/v1/payments/payment/?count=1');
    expect(list.body.payments).toEqual([body]);
  });
});

function withDetail(name: string, amount: string): object {
  return { total: '99.00', currency: 'USD', details: { subtotal: '100.00', [name]: amount } };
}
