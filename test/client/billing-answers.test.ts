import { describe, expect, it } from 'vitest';
import { forEachTest } from '../helpers/shared.js';
import {
  wireAgreement,
  wirePayoutBatch,
  wirePayoutItem,
  wirePendingAgreement,
  wirePlan,
  wirePreferencesBySpelling,
} from './answers.js';
import { agreementRequest, planRequest } from './billing-requests.js';
import { json, startScriptedProvider } from './scripted-provider.js';
import { usd } from '../helpers/usd.js';

const provider = forEachTest(startScriptedProvider);

const key = { requestId: 'request-1' };
const dialects = ['interface', 'paypal-v1'] as const;

describe('an answer that is received', () => {
  it.each(dialects)('is one plan in the spelling of %s', async (dialect) => {
    provider.script(json(200, { ...wirePlan, merchant_preferences: wirePreferencesBySpelling[dialect] }));
    await expect(provider.client().plans.get('P-1')).resolves.toMatchObject({
      state: 'CREATED',
      type: 'fixed',
      paymentDefinitions: [{ frequency: 'MONTH', frequencyInterval: 1, cycles: 12, amount: usd('10.6') }],
      merchantPreferences: { autoBillAmount: 'YES', initialAmountFailAction: 'CANCEL', maxFailAttempts: 3 },
    });
  });

  it('is a plan even if it holds the id only (2.5)', async () => {
    provider.script(json(201, { id: 'P-1' }));
    await expect(provider.client().plans.create(planRequest, key)).resolves.toMatchObject({
      id: 'P-1',
      state: undefined,
      paymentDefinitions: [],
    });
  });

  it.each([
    ['both links', wirePendingAgreement.links],
    ['the payer’s link alone', wirePendingAgreement.links.slice(0, 1)],
  ])('is an agreement to be approved by %s', async (_, links) => {
    provider.script(json(201, { links }));
    await expect(provider.client().agreements.create(agreementRequest, key)).resolves.toEqual({
      token: 'EC-PLANTED1',
      approvalUrl: 'https://www.example/checkout?token=EC-PLANTED1',
    });
  });

  it('is not an agreement to approve when it has no link for a browser', async () => {
    provider.script(json(201, { links: [{ rel: 'approval_url', href: 'javascript:alert("EC-1")' }] }));
    await expect(provider.client().agreements.create(agreementRequest, key)).rejects.toMatchObject({
      kind: 'unknown_outcome',
      evidence: { fields: ['links'] },
    });
  });

  it('is an agreement whatever its capital letters, and without the details that cannot be read', async () => {
    const agreement_details = { cycles_completed: 'many', last_payment_amount: { value: 1 } };
    provider.script(
      json(200, { ...wireAgreement, state: 'ACTIVE', agreement_details }),
      json(200, wireAgreement),
    );
    const { agreements } = provider.client();
    await expect(agreements.execute('EC-1', key)).resolves.toMatchObject({
      state: 'Active',
      details: { cyclesCompleted: undefined, lastPaymentAmount: undefined },
    });
    await expect(agreements.get('I-1')).resolves.toMatchObject({
      id: 'I-1',
      payerId: 'PAYER1',
      details: { outstandingBalance: usd('0.00'), cyclesRemaining: 12, failedPaymentCount: 0 },
    });
  });

  it.each(['time_stamp', 'time_updated'])('is a transaction dated by %s', async (field) => {
    const wire = {
      transaction_id: 'S-1',
      status: 'Completed',
      amount: usd('1'),
      [field]: '2024-03-01T10:00:00Z',
    };
    provider.script(json(200, { agreement_transaction_list: [wire] }));
    const search = { startDate: '2024-03-01', endDate: '2024-03-01' };
    await expect(provider.client().agreements.transactions('I-1', search)).resolves.toEqual([
      { id: 'S-1', status: 'Completed', amount: usd('1'), time: '2024-03-01T10:00:00Z' },
    ]);
    expect(provider.requests[0]?.path).toMatch(/\?start_date=2024-03-01&end_date=2024-03-01$/);
  });

  it('is a payout’s items to the last page, whether links, a count or full pages mark the end', async () => {
    const items = [wirePayoutItem, { ...wirePayoutItem, payout_item_id: 'ITEM-2' }];
    const next = [{ rel: 'next', href: 'https://elsewhere.example/?page=7', method: 'GET' }];
    const signs = [
      [
        { items: items.slice(0, 1), links: next },
        { items: items.slice(1), links: [] },
      ],
      [
        { items: items.slice(0, 1), total_items: 3 },
        { items: items.slice(1), total_items: 3 },
      ],
      [{ items }, { items: items.slice(1) }],
      [
        { items, links: next },
        { items: [], links: next },
      ],
    ];
    for (const [first, last] of signs) {
      provider.requests.length = 0;
      provider.script(
        json(200, { ...wirePayoutBatch, ...first }),
        json(200, { ...wirePayoutBatch, ...last }),
      );
      const sizes: number[] = [];
      for await (const page of provider.client().payouts.pages('BATCH-1', { pageSize: 2 })) {
        sizes.push(page.items.length);
      }
      expect(sizes).toEqual([first!.items.length, last!.items.length]);
    }
  });

  it('is a payout item even before anything is known about it', async () => {
    const { payout_item_id, payout_batch_id, payout_item } = wirePayoutItem;
    provider.script(json(200, { payout_item_id, payout_batch_id, payout_item }), json(200, wirePayoutItem));
    const { payoutItems } = provider.client();
    await expect(payoutItems.get('ITEM-1')).resolves.toMatchObject({
      status: undefined,
      senderItemId: 'item-1',
    });
    await expect(payoutItems.get('ITEM-1')).resolves.toEqual({
      id: 'ITEM-1',
      batchId: 'BATCH-1',
      status: 'UNCLAIMED',
      senderItemId: 'item-1',
      amount: usd('7.50'),
      fee: usd('0.00'),
      transactionId: 'TX-1',
      errorCode: 'RECEIVER_UNREGISTERED',
      processTime: '2024-03-01T10:00:02Z',
    });
  });
});
