import { describe, expect, it } from 'vitest';
import { MalformedAnswerError, type PaymentsClient, UnknownOutcomeError } from '#payments-client';
import { forEachTest } from '../helpers/shared.js';
import {
  wireAgreement,
  wireAuthorization,
  wireCapture,
  wirePayment,
  wirePayoutBatch,
  wirePayoutItem,
  wirePlan,
  wireRefund,
} from './answers.js';
import { json, startScriptedProvider } from './scripted-provider.js';

const provider = forEachTest(startScriptedProvider);

const key = { requestId: 'request-1' };
const refundRequest = { amount: { value: '4.10', currency: 'USD' }, invoiceNumber: 'refund-1' };
const wireSale = { ...wireCapture, id: 'S-1', links: [] };
const otherBatch = { ...wirePayoutBatch.batch_header, payout_batch_id: 'BATCH-2' };
const days = { startDate: '2026-11-01', endDate: '2026-11-30' };
const withParts = (...parts: object[]) => ({
  ...wirePayment,
  transactions: [{ ...wirePayment.transactions[0], related_resources: parts }],
});
const asOf = (parent_payment: string, wire: object) => ({ ...wire, parent_payment });

type Call = (client: PaymentsClient) => Promise<unknown>;

const readPayment: Call = ({ payments }) => payments.get('PAY-1');
const executePayment: Call = ({ payments }) => payments.execute('PAY-1', { payerId: 'PAYER1' }, key);
const readPage: Call = ({ payouts }) => payouts.getPage('BATCH-1');

const reads: readonly (readonly [string, Call, object])[] = [
  ['a payment', readPayment, { ...wirePayment, id: 'PAY-2' }],
  [
    'an authorization',
    ({ authorizations }) => authorizations.get('AUTH-1'),
    { ...wireAuthorization, id: 'A-2' },
  ],
  ['a capture', ({ captures }) => captures.get('CAP-1'), { ...wireCapture, id: 'CAP-2' }],
  ['a sale', ({ sales }) => sales.get('S-1'), { ...wireSale, id: 'S-2' }],
  ['a refund', ({ refunds }) => refunds.get('REF-1'), { ...wireRefund, id: 'REF-2' }],
  ['a plan', ({ plans }) => plans.get('P-1'), { ...wirePlan, id: 'P-2' }],
  ['an agreement', ({ agreements }) => agreements.get('I-1'), { ...wireAgreement, id: 'I-2' }],
  [
    'the payments of an agreement',
    ({ agreements }) => agreements.transactions('I-1', days),
    { agreement_transaction_list: [{ transaction_id: 'I-2', status: 'Suspended' }] },
  ],
  ['a batch', ({ payouts }) => payouts.get('BATCH-1'), { batch_header: otherBatch }],
  ['a page of a batch', readPage, { batch_header: otherBatch }],
  [
    'an item',
    ({ payoutItems }) => payoutItems.get('ITEM-1'),
    { ...wirePayoutItem, payout_item_id: 'ITEM-2' },
  ],
];

const posts: readonly (readonly [string, Call, object, number])[] = [
  ['an execution', executePayment, { ...wirePayment, id: 'PAY-2' }, 4],
  [
    'a void',
    ({ authorizations }) => authorizations.void('AUTH-1', key),
    { ...wireAuthorization, id: 'A-2' },
    4,
  ],
  [
    'a refund of a capture',
    ({ captures }) => captures.refund('CAP-1', refundRequest, key),
    { ...wireRefund, capture_id: 'CAP-2' },
    4,
  ],
  [
    'a refund of a sale',
    ({ sales }) => sales.refund('S-1', refundRequest, key),
    { ...wireRefund, capture_id: undefined, sale_id: 'S-2' },
    4,
  ],
  [
    'a cancellation',
    ({ payoutItems }) => payoutItems.cancel('ITEM-1', key),
    { ...wirePayoutItem, payout_item_id: 'ITEM-2' },
    1,
  ],
];

describe('an answer about another resource', () => {
  it.each(reads)('to a read of %s is malformed, whoever repeats it', async (_, call, other) => {
    provider.script(json(200, other));
    const outcome = await call(provider.client()).catch((thrown: unknown) => thrown);
    expect(outcome).toBeInstanceOf(MalformedAnswerError);
    expect(outcome).toMatchObject({ fields: ['id'] });
    expect(provider.requests).toHaveLength(4);
  });

  it.each(posts)('to %s is an unknown outcome, and no place to look for it', async (_, call, other, sent) => {
    provider.script(json(200, other));
    const outcome = await call(provider.client()).catch((thrown: unknown) => thrown);
    expect(outcome).toBeInstanceOf(UnknownOutcomeError);
    expect(outcome).toMatchObject({ reason: 'malformed_answer', evidence: { fields: ['id'] } });
    expect((outcome as UnknownOutcomeError).evidence.resourceId).toBeUndefined();
    expect(provider.requests).toHaveLength(sent);
  });

  it('gives way to the right one', async () => {
    const other = json(200, { ...wirePayment, id: 'PAY-2' });
    provider.script(other, json(200, wirePayment));
    await expect(readPayment(provider.client())).resolves.toMatchObject({ id: 'PAY-1' });
    expect(provider.requests).toHaveLength(2);
  });

  it.each([
    ['authorization', { authorization: asOf('PAY-2', wireAuthorization) }],
    ['capture', { capture: asOf('PAY-2', wireCapture) }],
    ['sale', { sale: asOf('PAY-2', wireSale) }],
    ['refund', { refund: asOf('PAY-2', wireRefund) }],
  ])('is also one with the %s of another payment', async (_, part) => {
    provider.script(json(200, withParts({ authorization: wireAuthorization }, part)));
    await expect(readPayment(provider.client())).rejects.toBeInstanceOf(MalformedAnswerError);
    await expect(executePayment(provider.client())).rejects.toBeInstanceOf(UnknownOutcomeError);
  });

  it('is also a page with an item of another batch', async () => {
    const items = [wirePayoutItem, { ...wirePayoutItem, payout_batch_id: 'BATCH-2' }];
    provider.script(json(200, { ...wirePayoutBatch, items }));
    await expect(readPage(provider.client())).rejects.toBeInstanceOf(MalformedAnswerError);
  });

  it('is none that only leaves out what it belongs to', async () => {
    const { parent_payment: _payment, links: _links, ...authorization } = wireAuthorization;
    const { capture_id: _capture, ...refund } = wireRefund;
    provider.script(json(200, withParts({ authorization })), json(201, refund));
    const client = provider.client();
    await expect(readPayment(client)).resolves.toMatchObject({ id: 'PAY-1' });
    await expect(client.captures.refund('CAP-1', refundRequest, key)).resolves.toMatchObject({ id: 'REF-1' });
  });

  it('is none for a reauthorization, which may be another authorization', async () => {
    provider.script(json(201, { ...wireAuthorization, id: 'AUTH-2' }));
    const amount = { value: '10.60', currency: 'USD' };
    const { authorizations } = provider.client();
    await expect(authorizations.reauthorize('AUTH-1', { amount }, key)).resolves.toMatchObject({
      id: 'AUTH-2',
    });
  });
});
