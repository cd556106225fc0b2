import { describe, expect, it } from 'vitest';
import type { PaymentsClient } from '#payments-client';
import type { OperationName, Repeatability } from '#payments-client/operations/operation.js';
import { forEachTest } from '../helpers/shared.js';
import {
  wireAgreement,
  wireAuthorization,
  wirePayoutBatch,
  wirePayoutItem,
  wirePendingAgreement,
  wirePlan,
  wireRefund,
} from './answers.js';
import { agreementRequest, payoutRequest, planRequest, refundRequest } from './billing-requests.js';
import {
  type Behaviour,
  hangUp,
  json,
  neverAnswer,
  raw,
  startScriptedProvider,
  truncated,
} from './scripted-provider.js';
import { usd } from '../helpers/usd.js';

const key = { requestId: 'request-1' };
const note = { note: 'why' };
const done = raw(204, '');
const days = { startDate: '2024-03-01', endDate: '2024-03-02' };
const listed = json(200, { agreement_transaction_list: [{ status: 'Created' }] });

/** Every call of the refunds, subscriptions and payouts: what may be done when no answer comes, and its success. */
const calls: readonly [
  OperationName,
  Repeatability,
  (client: PaymentsClient) => Promise<unknown>,
  Behaviour,
][] = [
  [
    'authorization.reauthorize',
    'reconcile',
    (client) => client.authorizations.reauthorize('AUTH-1', { amount: usd('1') }, key),
    json(201, wireAuthorization),
  ],
  [
    'capture.refund',
    'keyed',
    (client) => client.captures.refund('CAP-1', refundRequest, key),
    json(201, wireRefund),
  ],
  [
    'sale.refund',
    'keyed',
    (client) => client.sales.refund('S-1', refundRequest, key),
    json(200, { ...wireRefund, capture_id: undefined, sale_id: 'S-1' }),
  ],
  ['plan.create', 'reconcile', (client) => client.plans.create(planRequest, key), json(201, wirePlan)],
  ['plan.get', 'safe', (client) => client.plans.get('P-1'), json(200, wirePlan)],
  ['plan.list', 'safe', (client) => client.plans.list(), json(200, { plans: [wirePlan] })],
  ['plan.update', 'reconcile', (client) => client.plans.activate('P-1'), raw(200, '')],
  [
    'agreement.create',
    'reconcile',
    (client) => client.agreements.create(agreementRequest, key),
    json(201, wirePendingAgreement),
  ],
  [
    'agreement.execute',
    'reconcile',
    (client) => client.agreements.execute('EC-1', key),
    json(200, wireAgreement),
  ],
  ['agreement.get', 'safe', (client) => client.agreements.get('I-1'), json(200, wireAgreement)],
  [
    'agreement.update',
    'reconcile',
    (client) => client.agreements.update('I-1', { name: 'Other' }),
    raw(200, ''),
  ],
  ['agreement.suspend', 'reconcile', (client) => client.agreements.suspend('I-1', note, key), done],
  ['agreement.re-activate', 'reconcile', (client) => client.agreements.reactivate('I-1', note, key), done],
  ['agreement.cancel', 'reconcile', (client) => client.agreements.cancel('I-1', note, key), done],
  [
    'agreement.set-balance',
    'reconcile',
    (client) => client.agreements.setBalance('I-1', { balance: usd('0') }, key),
    done,
  ],
  [
    'agreement.bill-balance',
    'reconcile',
    (client) => client.agreements.billBalance('I-1', { ...note, amount: usd('1') }, key),
    done,
  ],
  ['agreement.transactions', 'safe', (client) => client.agreements.transactions('I-1', days), listed],
  [
    'payout.create',
    'keyed',
    (client) => client.payouts.create(payoutRequest, key),
    json(201, wirePayoutBatch),
  ],
  ['payout.get', 'safe', (client) => client.payouts.get('BATCH-1'), json(200, wirePayoutBatch)],
  ['payout-item.get', 'safe', (client) => client.payoutItems.get('ITEM-1'), json(200, wirePayoutItem)],
  [
    'payout-item.cancel',
    'reconcile',
    (client) => client.payoutItems.cancel('ITEM-1', key),
    json(200, wirePayoutItem),
  ],
];
const of = (...classes: Repeatability[]) =>
  calls.filter(([, repeatability]) => classes.includes(repeatability));

const provider = forEachTest(startScriptedProvider);

/** Case 5 of docs/failure-cases.md. */
describe('when the reply to it is lost,', () => {
  it.each(of('keyed'))('%s (%s) is sent again with the same key', async (_, _class, call, success) => {
    provider.script(hangUp, json(503, {}), success);
    await expect(call(provider.client())).resolves.toBeDefined();
    expect(provider.requests.map(({ headers }) => headers['paypal-request-id'])).toEqual(
      Array.from({ length: 3 }, () => key.requestId),
    );
    expect(new Set(provider.requests.map(({ body }) => body)).size).toBe(1);
  });

  it.each(of('keyed'))(
    '%s (%s) keeps its unknown outcome when a refusal follows',
    async (_, _class, call) => {
      provider.script(hangUp, json(400, { name: 'TRANSACTION_ALREADY_REFUNDED' }));
      await expect(call(provider.client())).rejects.toMatchObject({
        kind: 'unknown_outcome',
        evidence: { laterAnswer: { code: 'TRANSACTION_ALREADY_REFUNDED' } },
      });
    },
  );

  it.each(of('reconcile'))(
    '%s (%s) is of unknown outcome, and sent once',
    async (operation, _, call, success) => {
      const losses = [hangUp, json(500, {}), raw(200, '<html>'), truncated(200, { a: 1 }), raw(408, '')];
      for (const loss of losses) {
        provider.requests.length = 0;
        provider.script(loss, success);
        await expect(call(provider.client())).rejects.toMatchObject({ kind: 'unknown_outcome', operation });
        expect(provider.requests).toHaveLength(1);
      }
    },
  );

  it('every call that changes something is of unknown outcome when it takes too long', async () => {
    provider.script(neverAnswer);
    const operations = of('reconcile', 'keyed').map(([operation]) => operation);
    expect(operations.length).toBeGreaterThan(0);
    const client = provider.client({ attemptTimeoutMs: 2_000, retry: { maxAttempts: 1 } });
    const outcomes = of('reconcile', 'keyed').map(
      async ([, , call]) => await call(client).catch((error: unknown) => error),
    );
    expect(await Promise.all(outcomes)).toMatchObject(
      operations.map((operation) => ({ kind: 'unknown_outcome', reason: 'timed_out', operation })),
    );
  });

  it.each(of('safe'))('%s (%s) is repeated', async (_, _class, call, success) => {
    provider.script(hangUp, raw(200, '<html>'), success);
    await call(provider.client());
    expect(provider.requests).toHaveLength(3);
  });
});

describe('when it is refused,', () => {
  it.each(calls)('%s (%s) fails once with the provider’s reason', async (operation, _, call) => {
    provider.script(json(400, { name: 'SOME_STATE_INVALID', debug_id: 'debug-1' }));
    await expect(call(provider.client())).rejects.toMatchObject({
      kind: 'rejected',
      code: 'SOME_STATE_INVALID',
      debugId: 'debug-1',
      operation,
    });
    expect(provider.requests).toHaveLength(1);
  });
});

describe('a payout of unknown outcome', () => {
  const duplicate = json(400, {
    name: 'USER_BUSINESS_ERROR',
    details: [{ field: 'SENDER_BATCH_ID', issue: 'Duplicate batch request' }],
    links: [{ href: 'https://api.example/v1/payments/payouts/BATCH-1', rel: 'self', method: 'GET' }],
  });

  it('names the batch that its repetition found', async () => {
    provider.script(hangUp, duplicate);
    await expect(provider.client().payouts.create(payoutRequest, key)).rejects.toMatchObject({
      kind: 'unknown_outcome',
      evidence: { resourceId: 'BATCH-1', laterAnswer: { code: 'USER_BUSINESS_ERROR' } },
    });
  });

  it('names the batch of an answer that cannot be read', async () => {
    provider.script(json(201, { batch_header: { payout_batch_id: 'BATCH-1' } }));
    const client = provider.client({ retry: { maxAttempts: 1 } });
    await expect(client.payouts.create(payoutRequest, key)).rejects.toMatchObject({
      evidence: { resourceId: 'BATCH-1', fields: ['batch_header.batch_status'] },
    });
  });
});
