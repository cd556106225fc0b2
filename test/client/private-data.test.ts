import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CallRecord, PaymentsClient } from '#payments-client';
import {
  paymentRequest,
  wireAgreement,
  wirePayment,
  wirePayoutBatch,
  wirePayoutItem,
  wirePendingAgreement,
} from './answers.js';
import { agreementRequest, payoutRequest } from './billing-requests.js';
import { json, raw, type ScriptedProvider, startScriptedProvider } from './scripted-provider.js';

let provider: ScriptedProvider;
const records: CallRecord[] = [];
beforeEach(async () => {
  records.length = 0;
  provider = await startScriptedProvider();
});
afterEach(() => provider.close());

const key = { requestId: 'request-1' };
const PLANTED = ['planted', 'PLANTED', 'private.example', 'Ada', 'PAYER1', '+49 30 901820', '9999988888'];

/** Everything that is stored of the calls. */
function reported(): string {
  return records
    .map((record) => {
      const { request, response, requestHeaders, responseHeaders } = record;
      return (
        inspect(record, { depth: 10, showHidden: true }) +
        JSON.stringify({ request, response, requestHeaders, responseHeaders })
      );
    })
    .join('\n');
}

async function recorded(call: (client: PaymentsClient) => Promise<unknown>): Promise<CallRecord> {
  await call(provider.client({ onCall: (record) => records.push(record) }));
  for (const secret of PLANTED) expect(reported()).not.toContain(secret);
  return records.at(-1)!;
}

/** Case 25 of docs/failure-cases.md, for what subscribers and receivers are known by. */
describe('a recorded call', () => {
  it('describes a subscriber by ids and dates only', async () => {
    provider.script(json(200, wireAgreement));
    const { path, request, response } = await recorded((client) =>
      client.agreements.execute('EC-PLANTED1', key),
    );
    expect(path).toBe('/v1/payments/billing-agreements/[redacted]/agreement-execute');
    expect(request).toEqual({});
    expect(response).toMatchObject({
      id: 'I-1',
      state: 'Active',
      payer: { payer_info: '[redacted]' },
      shipping_address: '[redacted]',
      agreement_details: { cycles_remaining: '12', outstanding_balance: { value: '0.00' } },
    });
  });

  it('contains neither the approval token nor an address', async () => {
    provider.script(json(201, wirePendingAgreement));
    const shippingAddress = { line1: '1 Planted Street, PLANTED', countryCode: 'US' };
    const { request, response } = await recorded((client) =>
      client.agreements.create({ ...agreementRequest, shippingAddress }, key),
    );
    expect(request).toMatchObject({ plan: { id: 'P-1' }, shipping_address: '[redacted]' });
    expect(response).toMatchObject({
      links: [
        { href: 'https://www.example/checkout?[redacted]' },
        { href: 'https://api.example/v1/payments/billing-agreements/[redacted]/agreement-execute' },
      ],
    });
  });

  it('of a payment contains neither where it is sent nor the note to the payer', async () => {
    provider.script(json(201, wirePayment));
    const shippingAddress = { recipientName: 'Ada', line1: '1 Planted Street', countryCode: 'US' };
    const [transaction] = paymentRequest.transactions;
    const { request } = await recorded((client) =>
      client.payments.create(
        {
          ...paymentRequest,
          noteToPayer: 'Thanks, Ada',
          transactions: [{ ...transaction, shippingAddress }],
        },
        key,
      ),
    );
    expect(request).toMatchObject({
      note_to_payer: '[redacted]',
      transactions: [{ item_list: { shipping_address: '[redacted]' } }],
    });
    expect(JSON.parse(provider.requests[0]?.body ?? '')).toMatchObject({
      note_to_payer: 'Thanks, Ada',
      transactions: [
        {
          item_list: {
            shipping_address: { recipient_name: 'Ada', line1: '1 Planted Street', country_code: 'US' },
          },
        },
      ],
    });
  });

  it('describes a subscriber’s payments without the payer’s name and address', async () => {
    const transaction = {
      transaction_id: 'S-1',
      status: 'Completed',
      amount: { value: '1.00', currency: 'USD' },
      payer_email: 'payer@private.example',
      payer_name: 'Ada Planted',
    };
    provider.script(json(200, { agreement_transaction_list: [transaction] }));
    const days = { startDate: '2024-03-01', endDate: '2024-03-01' };
    const { response } = await recorded((client) => client.agreements.transactions('I-1', days));
    expect(response).toEqual({
      agreement_transaction_list: [{ ...transaction, payer_email: '[redacted]', payer_name: '[redacted]' }],
    });
  });

  it('contains no note, because a note may name a person', async () => {
    provider.script(raw(204, ''));
    const { request } = await recorded((client) =>
      client.agreements.cancel('I-1', { note: 'Ada called from +49 30 901820' }, key),
    );
    expect(request).toEqual({ note: '[redacted]' });
  });

  it('describes receivers by our references only', async () => {
    const [item] = payoutRequest.items;
    const items = [
      { ...item!, note: 'Thanks, Ada' },
      { ...item!, recipientType: 'PHONE' as const, receiver: '+49 30 901820', senderItemId: 'item-2' },
    ];
    provider.script(json(201, wirePayoutBatch));
    const { request, response, transactionId } = await recorded((client) =>
      client.payouts.create({ ...payoutRequest, emailSubject: 'Your share, Ada', items }, key),
    );
    expect(transactionId).toBe('BATCH-1');
    expect(request).toMatchObject({
      sender_batch_header: { sender_batch_id: 'batch-1', email_subject: '[redacted]' },
      items: [
        { receiver: '[redacted]', note: '[redacted]', sender_item_id: 'item-1', amount: { value: '7.50' } },
        { receiver: '[redacted]', sender_item_id: 'item-2' },
      ],
    });
    expect(response).toMatchObject({ batch_header: { payout_batch_id: 'BATCH-1', batch_status: 'PENDING' } });
  });

  it('shows the status of an item without its receiver', async () => {
    const payout_item = {
      ...wirePayoutItem.payout_item,
      alternate_notification_method: { phone: { country_code: '91', national_number: '9999988888' } },
    };
    provider.script(json(200, { ...wirePayoutBatch, items: [{ ...wirePayoutItem, payout_item }] }));
    const { response, transactionId } = await recorded((client) => client.payouts.getPage('BATCH-1'));
    expect(transactionId).toBe('BATCH-1');
    expect(response).toMatchObject({
      items: [
        {
          transaction_status: 'UNCLAIMED',
          payout_item: { receiver: '[redacted]', recipient_name: '[redacted]', sender_item_id: 'item-1' },
          errors: { name: 'RECEIVER_UNREGISTERED', message: '[redacted] has no account' },
        },
      ],
    });
  });

  it('of a batch of thousands lists the first hundred', async () => {
    const [item] = payoutRequest.items;
    const items = Array.from({ length: 15_000 }, (_, at) => ({ ...item!, senderItemId: `item-${at}` }));
    provider.script(json(201, wirePayoutBatch));
    const { request } = await recorded((client) => client.payouts.create({ ...payoutRequest, items }, key));
    const list = (request as { items: unknown[] }).items;
    expect(list).toHaveLength(101);
    expect(list[99]).toMatchObject({ sender_item_id: 'item-99' });
    expect(list[100]).toBe('… and 14900 more');
  });
});
