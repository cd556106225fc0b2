import { beforeAll, describe, expect, it } from 'vitest';
import type { PaymentsClient } from '#payments-client';
import { forAllTests } from '../helpers/shared.js';
import { agreementRequest, payoutRequest, planRequest, refundRequest } from './billing-requests.js';
import { startScriptedProvider } from './scripted-provider.js';
import { usd } from '../helpers/usd.js';

let client: PaymentsClient;
const provider = forAllTests(startScriptedProvider);
beforeAll(() => {
  client = provider.client();
});

const key = { requestId: 'request-1' };
const eur = (value: string) => ({ value, currency: 'EUR' });
const [definition] = planRequest.paymentDefinitions;
const [item] = payoutRequest.items;
type Bad = never;

async function expectRefused(call: () => Promise<unknown>, ...fields: string[]): Promise<void> {
  const reported: unknown = await call().catch((thrown: unknown) => thrown);
  expect(reported).toMatchObject({ kind: 'rejected', code: 'VALIDATION_ERROR', status: undefined });
  expect((reported as { issues: { field: string }[] }).issues.map(({ field }) => field)).toEqual(fields);
  expect([...provider.requests, ...provider.tokenRequests]).toEqual([]);
}

describe('an invalid request is refused before anything is sent, with the name of the field:', () => {
  it.each([
    ['a fraction of a cent', { amount: usd('4.101') }, 'amount'],
    ['nothing', { amount: usd('0') }, 'amount'],
    ['less than nothing', { amount: usd('-4.10') }, 'amount'],
    ['a number', { amount: { value: 4.1, currency: 'USD' } }, 'amount.value'],
    ['an amount that went missing', { amount: undefined }, 'amount'],
    ['no reference', { invoiceNumber: '' }, 'invoiceNumber'],
    ['a misspelt field', { invoice_number: 'refund-1' }, ''],
  ])('a refund with %s', async (_, change, field) => {
    const request = { ...refundRequest, ...change } as Bad;
    await expectRefused(() => client.captures.refund('CAP-1', request, key), field);
    await expectRefused(() => client.sales.refund('S-1', request, key), field);
  });

  it.each([
    ['a fraction of a yen', { amount: { value: '10.5', currency: 'JPY' } }, 'amount'],
    ['no amount', {}, 'amount'],
  ])('a reauthorization of %s', async (_, request, field) => {
    await expectRefused(() => client.authorizations.reauthorize('AUTH-1', request as Bad, key), field);
  });

  it.each([
    ['no definition', { paymentDefinitions: [] }, 'paymentDefinitions'],
    ['a trial alone', { paymentDefinitions: [{ ...definition!, type: 'TRIAL' }] }, 'paymentDefinitions'],
    [
      'a fraction of a cycle',
      { paymentDefinitions: [{ ...definition!, cycles: 1.5 }] },
      'paymentDefinitions.0.cycles',
    ],
    [
      'no end, though it is fixed',
      { paymentDefinitions: [{ ...definition!, cycles: 0 }] },
      'paymentDefinitions.0.cycles',
    ],
    ['an end, though it is infinite', { type: 'infinite' }, 'paymentDefinitions.0.cycles'],
    [
      'a regular amount of nothing',
      { paymentDefinitions: [{ ...definition!, amount: usd('0') }] },
      'paymentDefinitions.0.amount',
    ],
    [
      'an amount with too many decimals',
      { paymentDefinitions: [{ ...definition!, amount: usd('1.001') }] },
      'paymentDefinitions.0.amount',
    ],
    [
      'a tax of another currency',
      {
        paymentDefinitions: [{ ...definition!, chargeModels: [{ type: 'TAX', amount: eur('1') }] }],
      },
      'paymentDefinitions.0',
    ],
    [
      'a fee of another currency',
      { merchantPreferences: { ...planRequest.merchantPreferences, setupFee: eur('1') } },
      'merchantPreferences.setupFee',
    ],
    [
      'no web address to return to',
      { merchantPreferences: { ...planRequest.merchantPreferences, returnUrl: '/return' } },
      'merchantPreferences.returnUrl',
    ],
  ])('a plan with %s', async (_, change, field) => {
    await expectRefused(() => client.plans.create({ ...planRequest, ...change } as Bad, key), field);
  });

  it('a change without content', async () => {
    await expectRefused(() => client.plans.update('P-1', {}), '');
    await expectRefused(() => client.agreements.update('I-1', {}), '');
    await expectRefused(() => client.webhooks.update('WH-1', {}), '');
  });

  it.each([
    ['a day for an instant', { startDate: '2030-01-01' }, 'startDate'],
    ['an instant without its offset', { startDate: '2030-01-01T00:00:00' }, 'startDate'],
    ['a day that does not exist', { startDate: '2030-02-30T00:00:00Z' }, 'startDate'],
    ['no plan', { planId: '' }, 'planId'],
    ['no name', { name: '' }, 'name'],
    [
      'a country that is none',
      { shippingAddress: { line1: '1 Leaf Street', countryCode: 'Germany' } },
      'shippingAddress.countryCode',
    ],
  ])('an agreement with %s', async (_, change, field) => {
    const request = { ...agreementRequest, ...change };
    await expectRefused(() => client.agreements.create(request, key), field);
  });

  it.each([
    ['days that are none', { startDate: '2024-3-1', endDate: '2024-02-30' }, ['startDate', 'endDate']],
    ['an end before its start', { startDate: '2024-03-02', endDate: '2024-03-01' }, ['endDate']],
  ])('a search for transactions with %s', async (_, search, fields) => {
    await expectRefused(() => client.agreements.transactions('I-1', search), ...fields);
  });

  it('an empty note, a negative balance, a bill of zero', async () => {
    await expectRefused(() => client.agreements.cancel('I-1', { note: '' }, key), 'note');
    await expectRefused(() => client.agreements.setBalance('I-1', { balance: usd('-1') }, key), 'balance');
    const bill = { note: 'why', amount: usd('0') };
    await expectRefused(() => client.agreements.billBalance('I-1', bill, key), 'amount');
  });

  it.each([
    ['no items', { items: [] }, 'items'],
    ['no reference', { senderBatchId: '' }, 'senderBatchId'],
    ['an item of too many decimals', { items: [{ ...item!, amount: usd('7.501') }] }, 'items.0.amount'],
    ['an item for no address', { items: [{ ...item!, receiver: 'receiver' }] }, 'items.0.receiver'],
    ['an item that stands there twice', { items: [item!, { ...item! }] }, 'items.1.senderItemId'],
    [
      'items of two currencies',
      { items: [item!, { ...item!, senderItemId: 'item-2', amount: eur('7.50') }] },
      'items.1.amount',
    ],
  ])('a payout with %s', async (_, change, field) => {
    await expectRefused(() => client.payouts.create({ ...payoutRequest, ...change }, key), field);
  });

  it('a payout of more than 15,000 items; of many wrong ones the error names some', async () => {
    const items = Array.from({ length: 15_001 }, (_, at) => ({ ...item!, senderItemId: `item-${at}` }));
    await expectRefused(() => client.payouts.create({ ...payoutRequest, items }, key), 'items');
    const wrong = items.slice(1).map((each) => ({ ...each, receiver: '' }));
    const first = Array.from({ length: 32 }, (_, at) => `items.${at}.receiver`);
    await expectRefused(() => client.payouts.create({ ...payoutRequest, items: wrong }, key), ...first);
  });

  it.each(['', '../oauth2/token', 'X/cancel', 'X?y=1', 'X#', '.'])('the id %j', async (id) => {
    const { authorizations, captures, sales, plans, agreements, payouts, payoutItems, webhooks } = client;
    const note = { note: 'why' };
    const calls = [
      () => authorizations.reauthorize(id, { amount: usd('1') }, key),
      () => captures.refund(id, refundRequest, key),
      () => sales.refund(id, refundRequest, key),
      () => plans.get(id),
      () => plans.activate(id),
      () => agreements.execute(id, key),
      () => agreements.get(id),
      () => agreements.suspend(id, note, key),
      () => agreements.reactivate(id, note, key),
      () => agreements.cancel(id, note, key),
      () => agreements.setBalance(id, { balance: usd('1') }, key),
      () => payouts.get(id),
      () => payouts.getPage(id),
      () => payoutItems.get(id),
      () => payoutItems.cancel(id, key),
      () => webhooks.eventTypes(id),
    ];
    for (const call of calls) await expectRefused(call, 'id');
  });

  it('impossible page numbers', async () => {
    await expectRefused(() => client.plans.list({ page: -1, pageSize: 21 }), 'page', 'pageSize');
    await expectRefused(
      () => client.payouts.getPage('BATCH-1', { page: 0, pageSize: 1_001 }),
      'page',
      'pageSize',
    );
  });
});
