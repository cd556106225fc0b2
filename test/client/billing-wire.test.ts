import { describe, expect, it } from 'vitest';
import type { DialectName } from '#payments-client/dialect.js';
import { forEachTest } from '../helpers/shared.js';
import { wirePayoutBatch, wirePendingAgreement, wirePlan, wireRefund } from './answers.js';
import { agreementRequest, payoutRequest, planRequest, refundRequest } from './billing-requests.js';
import { json, raw, startScriptedProvider } from './scripted-provider.js';
import { usd } from '../helpers/usd.js';

const provider = forEachTest(startScriptedProvider);

const key = { requestId: 'request-1' };
const sent = () =>
  provider.requests.map(({ method, path, body }) => [`${method} ${path}`, body && JSON.parse(body)]);

const replace = (path: string, value: object) => ({ op: 'replace', path, value });

const spellings = {
  interface: {
    wallet: 'wallet',
    fixed: 'fixed',
    infinite: 'infinite',
    autoBill: 'autobill_amount',
    failAction: 'initial_amount_fail_action',
  },
  'paypal-v1': {
    wallet: 'paypal',
    fixed: 'FIXED',
    infinite: 'INFINITE',
    autoBill: 'auto_bill_amount',
    failAction: 'initial_fail_amount_action',
  },
};
const dialects = ['interface', 'paypal-v1'] as const satisfies DialectName[];

describe('a request that is sent', () => {
  it.each(dialects)('spells a plan as %s does', async (dialect) => {
    provider.script(json(201, wirePlan));
    const spelling = spellings[dialect];
    await provider.client({ dialect }).plans.create(planRequest, key);
    const [regular] = planRequest.paymentDefinitions;
    await provider
      .client({ dialect })
      .plans.create(
        { ...planRequest, type: 'infinite', paymentDefinitions: [{ ...regular!, cycles: 0 }] },
        key,
      );
    const body = {
      name: 'Magazine',
      description: 'Every month',
      type: spelling.fixed,
      payment_definitions: [
        {
          name: 'Regular',
          type: 'REGULAR',
          frequency: 'MONTH',
          frequency_interval: '1',
          cycles: '12',
          amount: usd('10.60'),
          charge_models: [{ type: 'TAX', amount: usd('1.00') }],
        },
      ],
      merchant_preferences: {
        setup_fee: usd('5.00'),
        return_url: 'https://shop.example/return',
        cancel_url: 'https://shop.example/cancel',
        [spelling.autoBill]: 'YES',
        [spelling.failAction]: 'CONTINUE',
        max_fail_attempts: '3',
      },
    };
    expect(sent()).toEqual([
      ['POST /v1/payments/billing-plans', body],
      [
        'POST /v1/payments/billing-plans',
        {
          ...body,
          type: spelling.infinite,
          payment_definitions: [{ ...body.payment_definitions[0], cycles: '0' }],
        },
      ],
    ]);
  });

  it.each(dialects)('spells an agreement as %s does', async (dialect) => {
    provider.script(json(201, wirePendingAgreement));
    const spelling = spellings[dialect];
    const merchantPreferences = { autoBillAmount: 'NO', setupFee: usd('0') } as const;
    const startDate = '2030-01-01T00:00:00.250+02:00';
    const { agreements } = provider.client({ dialect });
    await agreements.create({ ...agreementRequest, startDate, merchantPreferences }, key);
    expect(sent()).toEqual([
      [
        'POST /v1/payments/billing-agreements',
        {
          name: 'Magazine',
          description: 'Every month',
          start_date: '2029-12-31T22:00:00.250Z',
          plan: { id: 'P-1' },
          payer: { payment_method: spelling.wallet },
          shipping_address: {
            line1: '1 Leaf Street',
            city: 'San Jose',
            postal_code: '95112',
            country_code: 'US',
          },
          override_merchant_preferences: { [spelling.autoBill]: 'NO', setup_fee: usd('0.00') },
        },
      ],
    ]);
  });

  it('changes plans and agreements by replacement', async () => {
    provider.script(raw(200, ''));
    const { plans, agreements } = provider.client();
    await plans.activate('P-1');
    await plans.update('P-1', { name: 'Other', merchantPreferences: { maxFailAttempts: 0 } });
    await agreements.update('I-1', { startDate: '2030-02-01T00:00:00Z' });
    expect(sent()).toEqual([
      ['PATCH /v1/payments/billing-plans/P-1', [replace('/', { state: 'ACTIVE' })]],
      [
        'PATCH /v1/payments/billing-plans/P-1',
        [replace('/merchant-preferences', { max_fail_attempts: '0' }), replace('/', { name: 'Other' })],
      ],
      ['PATCH /v1/payments/billing-agreements/I-1', [replace('/', { start_date: '2030-02-01T00:00:00Z' })]],
    ]);
  });

  it('moves an agreement by the public paths', async () => {
    provider.script(raw(204, ''));
    const { agreements } = provider.client();
    const note = { note: 'why' };
    await agreements.suspend('I-1', note, key);
    await agreements.reactivate('I-1', note, key);
    await agreements.cancel('I-1', note, key);
    await agreements.setBalance('I-1', { balance: usd('0') }, key);
    await agreements.billBalance('I-1', { ...note, amount: usd('1.5') }, key);
    const path = 'POST /v1/payments/billing-agreements/I-1';
    expect(sent()).toEqual([
      [`${path}/suspend`, note],
      [`${path}/re-activate`, note],
      [`${path}/cancel`, note],
      [`${path}/set-balance`, usd('0.00')],
      [`${path}/bill-balance`, { ...note, amount: usd('1.50') }],
    ]);
  });

  it('refunds the amount that is asked for, and everything only when asked to', async () => {
    const { capture_id: _capture, ...wireSaleRefund } = wireRefund;
    provider.script(json(201, wireRefund), json(201, { ...wireSaleRefund, sale_id: 'S-1' }));
    const { captures, sales } = provider.client();
    await captures.refund('CAP-1', { ...refundRequest, reason: 'damaged' }, key);
    await sales.refund('S-1', { ...refundRequest, amount: 'remaining' }, key);
    expect(sent()).toEqual([
      [
        'POST /v1/payments/capture/CAP-1/refund',
        { amount: { total: '4.10', currency: 'USD' }, invoice_number: 'refund-1', reason: 'damaged' },
      ],
      ['POST /v1/payments/sale/S-1/refund', { invoice_number: 'refund-1' }],
    ]);
  });

  it('makes payouts, and reads batches without more items than asked for', async () => {
    provider.script(json(201, wirePayoutBatch));
    const { payouts } = provider.client();
    await payouts.create(payoutRequest, key);
    await payouts.get('BATCH-1');
    await payouts.getPage('BATCH-1', { page: 3 });
    expect(sent()).toEqual([
      [
        'POST /v1/payments/payouts',
        {
          sender_batch_header: { sender_batch_id: 'batch-1', email_subject: 'Your share' },
          items: [
            {
              recipient_type: 'EMAIL',
              receiver: 'receiver@private.example',
              amount: usd('7.50'),
              note: 'Thanks',
              sender_item_id: 'item-1',
            },
          ],
        },
      ],
      ['GET /v1/payments/payouts/BATCH-1?fields=batch_header&page_size=1', ''],
      ['GET /v1/payments/payouts/BATCH-1?page=3&page_size=250&total_required=true', ''],
    ]);
  });
});
