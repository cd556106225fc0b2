import { describe, expect, it } from 'vitest';
import { forAllTests } from '../../helpers/shared.js';
import { approveAsPayer } from '../specification/payer.js';
import { ConformanceFixture } from './conformance-fixture.js';
import { WALLET_ORDER } from './wallet-order.js';
import { generateToken, refusal, sdk, sdkVersion, type SdkAnswer } from './sdk.js';

const usd = (total: string) => ({ total, currency: 'USD' });
const CARD = {
  type: 'visa',
  number: '4417119669820331',
  expire_month: '11',
  expire_year: '2035',
  cvv2: '874',
};
const BY_CARD = { payment_method: 'credit_card', funding_instruments: [{ credit_card: CARD }] };

const byCard = (intent: string, total: string) =>
  sdk('payment.create', { intent, payer: BY_CARD, transactions: [{ amount: usd(total) }] });
const resourceOf = (payment: SdkAnswer) => payment['transactions'][0].related_resources[0];

/** Approved on the payer’s page and executed with what the payer brings back. */
async function executed(order: object): Promise<SdkAnswer> {
  const created = await sdk('payment.create', order);
  expect(created).toMatchObject({ httpStatusCode: 201, state: 'created' });
  const back = await approveAsPayer(created as never);
  expect(back.searchParams.get('paymentId')).toBe(created['id']);
  return sdk('payment.execute', created['id'], { payer_id: back.searchParams.get('PayerID') });
}

const heldInWallet = async () =>
  resourceOf(await executed({ ...WALLET_ORDER, intent: 'authorize' })).authorization;

const authorizationOf = async (total: string): Promise<SdkAnswer> =>
  resourceOf(await byCard('authorize', total)).authorization;

describe(`paypal-rest-sdk ${sdkVersion}, payments`, () => {
  const conformance = forAllTests(() => ConformanceFixture.start());

  const booksOf = (id: string) => conformance.sandbox.booksOf(id);
  it('exchanges its credentials for a token', async () => {
    expect(await generateToken()).toMatch(/^Bearer \S{20,}$/);
  });

  it('lets a payer buy with the wallet: created, approved, executed, found again', async () => {
    const payment = await executed(WALLET_ORDER);
    expect(payment).toMatchObject({ httpStatusCode: 200, state: 'approved', intent: 'sale' });
    expect(await booksOf(payment['id'])).toEqual(['sale 3207']);
    const found = await sdk('payment.get', payment['id']);
    expect(found['transactions'][0]).toMatchObject({
      custom: 'custom-9004863',
      invoice_number: '48787589677',
    });
    expect(found['transactions'][0].amount.details).toEqual(WALLET_ORDER.transactions[0]!.amount.details);
    expect(found['transactions'][0].item_list.items[2].price).toBe('-2.00');
    const sale = await sdk('sale.get', resourceOf(payment).sale.id);
    expect(sale).toMatchObject({ state: 'completed', parent_payment: payment['id'] });
  });

  it('accepts a discount with either sign, as the recorded service did', async () => {
    // Recorded in one session: 33.07 less a discount of "1.00" makes 34.07 on create, and 37.07 makes 36.07 on update.
    const recorded = structuredClone(WALLET_ORDER);
    recorded.transactions[0]!.amount.total = '34.07';
    expect(await sdk('payment.create', recorded)).toMatchObject({ httpStatusCode: 201 });
    recorded.transactions[0]!.amount.total = '32.07';
    recorded.transactions[0]!.amount.details.shipping_discount = '-1.00';
    expect(await sdk('payment.create', recorded)).toMatchObject({ httpStatusCode: 201 });
  });

  it('changes an order until it is executed, and not after', async () => {
    const created = await sdk('payment.create', WALLET_ORDER);
    expect(created['payer'].payer_info).toMatchObject({ tax_id: 'Fh618775690', tax_id_type: 'BR_CPF' });
    const details = { ...WALLET_ORDER.transactions[0]!.amount.details, insurance: '5.00' };
    const value = { total: '36.07', currency: 'USD', details };
    const change = [{ op: 'replace', path: '/transactions/0/amount', value }];
    const updated = await sdk('payment.update', created['id'], change);
    expect(updated).toMatchObject({
      id: created['id'],
      transactions: [{ amount: { total: '36.07', details } }],
    });
    const back = await approveAsPayer(created as never);
    await sdk('payment.execute', created['id'], { payer_id: back.searchParams.get('PayerID') });
    expect(await booksOf(created['id'])).toEqual(['sale 3607']);
    expect((await refusal('payment.update', created['id'], change)).status).toBe(400);
  });

  it('is refused an execution that the payer has not approved', async () => {
    const { id } = await sdk('payment.create', WALLET_ORDER);
    const { status, body } = await refusal('payment.execute', id, { payer_id: 'SANDBOXPAYER1' });
    expect([status, body['name']]).toEqual([400, 'PAYMENT_NOT_APPROVED_FOR_EXECUTION']);
    expect(await booksOf(id)).toEqual([]);
  });

  it('pages through its payments', async () => {
    for (const total of ['1.00', '2.00', '3.00']) await byCard('sale', total);
    const first = await sdk('payment.list', { count: 2 });
    expect(first).toMatchObject({ count: 2, next_id: expect.any(String) });
    const next = await sdk('payment.list', { count: 2, start_id: first['next_id'] });
    const ids = [...first['payments'], ...next['payments']].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('buys by card at once, with text and with numbers', async () => {
    const numbers = { ...CARD, expire_month: 11, expire_year: 2035, cvv2: 874 };
    for (const credit_card of [CARD, numbers]) {
      const payer = { payment_method: 'credit_card', funding_instruments: [{ credit_card }] };
      const payment = await sdk('payment.create', {
        intent: 'sale',
        payer,
        transactions: [
          {
            amount: { ...usd('7.47'), details: { subtotal: '7.41', tax: '0.03', shipping: '0.03' } },
            description: 'By card',
          },
        ],
      });
      expect(payment).toMatchObject({ httpStatusCode: 201, state: 'approved' });
      expect(await booksOf(payment['id'])).toEqual(['sale 747']);
      expect(JSON.stringify(await sdk('payment.get', payment['id']))).not.toContain(CARD.number);
    }
  });

  it('refunds a sale in two parts, and then no more', async () => {
    const payment = await byCard('sale', '7.47');
    const { id } = resourceOf(payment).sale;
    const part = await sdk('sale.refund', id, { amount: usd('2.34') });
    expect(part).toMatchObject({ httpStatusCode: 201, state: 'completed', sale_id: id });
    expect(await sdk('sale.get', id)).toMatchObject({ state: 'partially_refunded' });
    const rest = await sdk('sale.refund', id, {});
    expect(rest).toMatchObject({ amount: { total: '5.13' }, parent_payment: payment['id'] });
    expect(await sdk('sale.get', id)).toMatchObject({ state: 'refunded' });
    expect((await refusal('sale.refund', id, {})).body['name']).toBe('TRANSACTION_ALREADY_REFUNDED');
    expect(await booksOf(payment['id'])).toEqual(['sale 747', 'refund 234', 'refund 513']);
    const found = await sdk('refund.get', part['id']);
    expect(found).toMatchObject({ id: part['id'], state: 'completed', amount: usd('2.34'), sale_id: id });
  });

  it('captures an authorization in parts, and refunds a capture', async () => {
    const authorization = await authorizationOf('4.54');
    expect(await sdk('authorization.get', authorization['id'])).toMatchObject({ state: 'authorized' });
    const first = await sdk('authorization.capture', authorization['id'], { amount: usd('1.00') });
    expect(first).toMatchObject({ state: 'completed', parent_payment: authorization['parent_payment'] });
    expect(await sdk('authorization.get', authorization['id'])).toMatchObject({
      state: 'partially_captured',
    });
    const last = { amount: usd('3.54'), is_final_capture: true };
    const second = await sdk('authorization.capture', authorization['id'], last);
    expect(second).toMatchObject({ is_final_capture: true });
    expect(await sdk('authorization.get', authorization['id'])).toMatchObject({ state: 'captured' });
    const refund = await sdk('capture.refund', second['id'], {});
    expect(refund).toMatchObject({ state: 'completed', capture_id: second['id'], amount: usd('3.54') });
    expect(await sdk('capture.get', second['id'])).toMatchObject({ state: 'refunded' });
    const books = ['hold 454', 'capture 100', 'capture 354', 'refund 354'];
    expect(await booksOf(authorization['parent_payment'])).toEqual(books);
  });

  it('voids what is not captured, and nothing after the final capture', async () => {
    const whole = await authorizationOf('4.00');
    expect(await sdk('authorization.void', whole['id'])).toMatchObject({
      httpStatusCode: 200,
      state: 'voided',
    });
    const part = await authorizationOf('4.00');
    await sdk('authorization.capture', part['id'], { amount: usd('1.00') });
    expect(await sdk('authorization.void', part['id'])).toMatchObject({ state: 'voided' });
    expect(await booksOf(part['parent_payment'])).toEqual(['hold 400', 'capture 100', 'release 300']);
    const final = await authorizationOf('4.00');
    await sdk('authorization.capture', final['id'], { amount: usd('1.00'), is_final_capture: true });
    const { status, body } = await refusal('authorization.void', final['id']);
    expect([status, body['name']]).toEqual([400, 'AUTHORIZATION_CANNOT_BE_VOIDED']);
    expect(body).toMatchObject({ information_link: expect.any(String), debug_id: expect.any(String) });
  });

  it('reauthorizes after the honour period, not within', async () => {
    const { body } = await refusal('authorization.reauthorize', (await heldInWallet()).id, {
      amount: usd('32.07'),
    });
    expect(body['name']).toBe('REAUTHORIZATION_TOO_SOON');
    await conformance.sandbox.configure({ dayLengthMs: 400 });
    const { id } = await heldInWallet();
    await expect
      .poll(() => sdk('authorization.reauthorize', id, { amount: usd('32.07') }).catch(() => null), {
        interval: 100,
      })
      .toMatchObject({ state: 'authorized', amount: { total: '32.07' } });
    await conformance.sandbox.configure({});
  });

  it('gets the documented name for an unknown identifier', async () => {
    const unknown = 'PAY-0XL713371A312273YKE2GCNI';
    const reads = ['payment.get', 'sale.get', 'capture.get', 'refund.get', 'authorization.get'];
    for (const verb of reads) {
      const { status, body } = await refusal(verb, unknown);
      expect([verb, status, body['name']]).toEqual([verb, 404, 'INVALID_RESOURCE_ID']);
    }
  });
});
