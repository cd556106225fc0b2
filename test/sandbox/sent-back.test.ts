import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { honoured } from './authorizations/reauthorizing.js';
import { Payouts, batchOf, itemFor } from './payouts/payout-helpers.js';
import { SandboxFixture, paymentBody } from './sandbox-fixture.js';
import { AGREEMENTS, PLANS, Subscriptions, planBody } from './subscriptions/subscription-calls.js';

let subscriptions: Subscriptions;
const sandbox = forAllTests(() => SandboxFixture.start());
beforeAll(() => {
  subscriptions = new Subscriptions(sandbox);
});
afterAll(async () => {
  expect(await sandbox.violations()).toEqual([]);
});

const usd = (total: string) => ({ total, currency: 'USD' });
const register = (body: object) => sandbox.call('POST', '/v1/notifications/webhooks', body);
/** Without its links: those to further pages repeat the query. */
const readList = async (address: string) => {
  const { status, body } = await sandbox.call('GET', address);
  return { status, body: { ...body, links: undefined } };
};
const surplus = { colour: 'red', links: [{ rel: 'self' }] };

describe('a resource that a public client sends back unchanged', () => {
  it('is reauthorized by its amount alone', async () => {
    const { authorizationId, paymentId } = await honoured(sandbox);
    const whole = { ...(await sandbox.authorization(authorizationId)), ...surplus, amount: usd('110.00') };
    const path = `/v1/payments/authorization/${authorizationId}/reauthorize`;
    expect((await sandbox.call('POST', path, whole)).status).toBe(201);
    expect(await sandbox.booksOf(paymentId)).toEqual(['hold 10000', 'release 10000', 'hold 11000']);
  });

  it('is captured, refunded and voided by its relevant fields', async () => {
    const { authorizationId, paymentId } = await sandbox.authorized();
    const { body: captured } = await sandbox.capture(authorizationId, '10.00');
    const again = await sandbox.capture(authorizationId, '20.00', { ...captured, amount: usd('20.00') });
    expect(again.status).toBe(201);
    const refund = (body: object) => sandbox.call('POST', `/v1/payments/capture/${captured.id}/refund`, body);
    const { body: refunded } = await refund({ amount: usd('1.00') });
    expect((await refund({ ...refunded, amount: usd('2.00') })).status).toBe(201);
    // Without an amount everything goes back: one that is misspelt must not be ignored.
    expect((await refund({ amuont: usd('1.00') })).body.details[0].field).toBe('amuont');
    const whole = { ...(await sandbox.authorization(authorizationId)), ...surplus };
    const path = `/v1/payments/authorization/${authorizationId}/void`;
    expect((await sandbox.call('POST', path, whole)).status).toBe(200);
    expect(await sandbox.booksOf(paymentId)).toEqual([
      'hold 10000',
      'capture 1000',
      'capture 2000',
      'refund 100',
      'refund 200',
      'release 7000',
    ]);
  });

  it('is executed, whether payment or agreement', async () => {
    const { body: payment } = await sandbox.createPayment();
    await sandbox.approve(payment.id);
    const body = { ...surplus, payer_id: 'SANDBOXPAYER1', id: payment.id, state: payment.state };
    expect((await sandbox.call('POST', `/v1/payments/payment/${payment.id}/execute`, body)).status).toBe(200);
    const token = await subscriptions.approved(await subscriptions.activePlan());
    const executed = await sandbox.call('POST', `${AGREEMENTS}/${token}/agreement-execute`, surplus);
    expect(executed.status).toBe(200);
    const agreement = await subscriptions.get(executed.body.id);
    expect((await subscriptions.post(agreement.id, 'suspend', { ...agreement, note: 'Pause' })).status).toBe(
      204,
    );
    const value = { ...(await subscriptions.get(agreement.id)), description: 'Another one' };
    const patch = [{ op: 'replace', path: '/', value }];
    expect(await sandbox.call('PATCH', `${AGREEMENTS}/${agreement.id}`, patch)).toMatchObject({
      status: 200,
    });
    expect(await subscriptions.get(agreement.id)).toMatchObject({ description: 'Another one' });
  });

  it('is changed, when it is a plan', async () => {
    const { body: plan } = await subscriptions.createPlan();
    const patch = [{ op: 'replace', path: '/', value: { ...plan, state: 'ACTIVE' } }];
    expect(await sandbox.call('PATCH', `${PLANS}/${plan.id}`, patch)).toMatchObject({ status: 200 });
    expect(await subscriptions.createPlan(plan)).toMatchObject({ status: 201 });
    expect((await sandbox.call('GET', `${PLANS}/${plan.id}`)).body).toMatchObject({ state: 'ACTIVE' });
  });

  it('is made once more, when it is a payment, whatever has become of it', async () => {
    const { paymentId } = await sandbox.authorized();
    const { body: before } = await sandbox.call('GET', `/v1/payments/payment/${paymentId}`);
    const { status, body: made } = await sandbox.call('POST', '/v1/payments/payment', before);
    expect(status).toBe(201);
    expect(made).toMatchObject({ state: 'created', transactions: [{ related_resources: [] }] });
    expect(made.id).not.toBe(paymentId);
    expect(made.payer).not.toHaveProperty('status');
    const misspelt = await sandbox.call('POST', '/v1/payments/payment', { ...before, note_to_payr: 'Hi' });
    expect(misspelt.body.details[0].field).toBe('note_to_payr');
  });

  it('is registered at another address, when it is a webhook', async () => {
    const url = 'https://shop.example/hooks/1';
    const { body: webhook } = await register({ url, event_types: [{ name: '*' }] });
    const moved = await register({ ...webhook, url: 'https://shop.example/hooks/2' });
    expect(moved.status).toBe(201);
    expect(moved.body.id).not.toBe(webhook.id);
    const misspelt = await register({ ...webhook, evnet_types: [] });
    expect(misspelt.body.details[0].field).toBe('evnet_types');
  });

  it('is cancelled, when it is an unclaimed item', async () => {
    const payouts = new Payouts(sandbox);
    const { items } = await payouts.finished([itemFor('ben+unclaimed@example.com')]);
    const [item] = items;
    await payouts.itemReaches(item.payout_item_id, 'UNCLAIMED');
    const whole = await payouts.item(item.payout_item_id);
    const path = `/v1/payments/payouts-item/${item.payout_item_id}/cancel`;
    expect((await sandbox.call('POST', path, whole)).status).toBe(200);
  });
});

describe('an optional field that is sent as an empty text', () => {
  const payer = { payment_method: 'wallet', external_selected_funding_instrument_type: '' };
  const payer_info = { phone_type: '', tax_id_type: '', country_code: '' };
  const context = { shipping_preference: '', payment_pattern: '' };
  const line = { name: 'Tea', quantity: '1', price: '100.00', currency: 'USD', category: '' };
  const transaction = {
    payment_options: { allowed_payment_method: '' },
    item_list: { items: [line] },
  };

  it.each<[string, string, object]>([
    [
      'of a payout',
      '/v1/payments/payouts',
      batchOf(
        [itemFor('anna@example.com', { recipient_wallet: '', purpose: '', notification_language: '' })],
        { recipient_type: '' },
      ),
    ],
    [
      'of a payment',
      '/v1/payments/payment',
      paymentBody({
        transaction,
        payment: { payer: { ...payer, payer_info }, application_context: context },
      }),
    ],
    [
      'of a plan',
      PLANS,
      planBody(
        {},
        {
          auto_bill_amount: '',
          autobill_amount: '',
          initial_fail_amount_action: '',
          initial_amount_fail_action: '',
        },
      ),
    ],
  ])('counts as absent: %s', async (_of, path, body) => {
    expect(await sandbox.call('POST', path, body)).toMatchObject({ status: 201 });
  });

  it.each([
    ['/v1/payments/payment', 'sort_by=&sort_order=&count=&start_index='],
    ['/v1/notifications/webhooks', 'anchor_type=&event_type='],
    ['/v1/notifications/webhooks-events', 'event_type=&page_size='],
    [PLANS, 'status=&total_required=&page=&page_size='],
  ])('counts as absent in a query: %s', async (path, query) => {
    // Events of the payout above may come in between.
    const [before, asked] = await until(
      async () => [await readList(path), await readList(`${path}?${query}`), await readList(path)] as const,
      ([earlier, , later]) => isDeepStrictEqual(earlier, later),
      'a list that does not change',
    );
    expect(asked).toEqual(before);
    expect(asked.status).toBe(200);
  });

  it('counts as absent in a query of a payout', async () => {
    const body = batchOf([itemFor('anna@example.com')]);
    const { status, body: batch } = await sandbox.call('POST', '/v1/payments/payouts?sync_mode=', body);
    expect(status).toBe(201);
    const path = `/v1/payments/payouts/${batch.batch_header.payout_batch_id}`;
    expect(await sandbox.call('GET', `${path}?total_required=&fields=&page=&page_size=`)).toMatchObject({
      status: 200,
    });
  });

  it('is still refused where it is required, and so is any other unknown value', async () => {
    const typed = (recipient_type: string, more: object = {}) =>
      sandbox.call(
        'POST',
        '/v1/payments/payouts',
        batchOf([itemFor('a@example.com', { recipient_type, ...more })]),
      );
    expect((await typed('')).body.details[0].field).toBe('items[0].recipient_type');
    const { body } = await typed('EMAIL', { recipient_wallet: 'SOCK' });
    expect(body.details[0].field).toBe('items[0].recipient_wallet');
    const intent = await sandbox.call('POST', '/v1/payments/payment', paymentBody({ intent: '' }));
    expect(intent.body.details[0].field).toBe('intent');
  });
});
