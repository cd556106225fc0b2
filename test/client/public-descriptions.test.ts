import { describe, expect, it } from 'vitest';
import type { PaymentsClient } from '#payments-client';
import { createTestSigner } from '#payments-client/testing';
import { forAllTests } from '../helpers/shared.js';
import { captureRequest, paymentRequest } from './answers.js';
import { payoutRequest, refundRequest } from './billing-requests.js';
import { DescribedCall } from './public-descriptions.js';
import { json, startScriptedProvider } from './scripted-provider.js';

const provider = forAllTests(startScriptedProvider);

const key = { requestId: 'request-1' };
const webhook = { url: 'https://shop.example/hooks', eventTypes: ['*'] };
const period = { startTime: '2024-03-01T00:00:00Z', endTime: '2024-03-02T00:00:00Z' };
const amount = { value: '1', currency: 'JPY' };

async function verify({ webhooks }: PaymentsClient) {
  const webhookId = 'WEBHOOKID1';
  const certificateAddress = 'https://api.example/certificate.pem';
  const rawBody = Buffer.from('{"id":"WH-1","resource":{}}');
  const signer = await createTestSigner({ certificateAddress, webhookId });
  return webhooks.verifySignature({ headers: signer.sign(rawBody), rawBody, webhookId });
}

/** Every call whose path the public descriptions cover. */
const calls: readonly [string, (client: PaymentsClient) => Promise<unknown>][] = [
  ['payments.create', ({ payments }) => payments.create(paymentRequest, key)],
  ['payments.create a sale', ({ payments }) => payments.create({ ...paymentRequest, intent: 'sale' }, key)],
  ['payments.get', ({ payments }) => payments.get('PAY-1')],
  [
    'payments.list',
    ({ payments }) => payments.list({ count: 20, startId: 'PAY-1', payeeId: 'P', ...period }),
  ],
  ['payments.execute', ({ payments }) => payments.execute('PAY-1', { payerId: 'PAYER1' }, key)],
  ['authorizations.get', ({ authorizations }) => authorizations.get('AUTH-1')],
  ['authorizations.capture', ({ authorizations }) => authorizations.capture('AUTH-1', captureRequest, key)],
  ['authorizations.void', ({ authorizations }) => authorizations.void('AUTH-1', key)],
  [
    'authorizations.reauthorize',
    ({ authorizations }) => authorizations.reauthorize('AUTH-1', { amount }, key),
  ],
  ['captures.get', ({ captures }) => captures.get('CAP-1')],
  ['captures.refund', ({ captures }) => captures.refund('CAP-1', refundRequest, key)],
  ['sales.get', ({ sales }) => sales.get('S-1')],
  ['sales.refund', ({ sales }) => sales.refund('S-1', { ...refundRequest, amount: 'remaining' }, key)],
  ['refunds.get', ({ refunds }) => refunds.get('REF-1')],
  ['payouts.create', ({ payouts }) => payouts.create(payoutRequest, key)],
  ['payouts.get', ({ payouts }) => payouts.get('BATCH-1')],
  ['payouts.getPage', ({ payouts }) => payouts.getPage('BATCH-1', { page: 2, pageSize: 1_000 })],
  ['payoutItems.get', ({ payoutItems }) => payoutItems.get('ITEM-1')],
  ['payoutItems.cancel', ({ payoutItems }) => payoutItems.cancel('ITEM-1', key)],
  ['webhooks.create', ({ webhooks }) => webhooks.create(webhook)],
  ['webhooks.list', ({ webhooks }) => webhooks.list()],
  ['webhooks.get', ({ webhooks }) => webhooks.get('WH-1')],
  ['webhooks.update', ({ webhooks }) => webhooks.update('WH-1', webhook)],
  ['webhooks.availableEventTypes', ({ webhooks }) => webhooks.availableEventTypes()],
  ['webhooks.eventTypes', ({ webhooks }) => webhooks.eventTypes('WH-1')],
  ['webhooks.verifySignature', verify],
  ['events.get', ({ events }) => events.get('WH-1')],
  ['events.resend', ({ events }) => events.resend('WH-1', { webhookIds: ['WH-1'] })],
  [
    'events.search',
    ({ events }) => events.search({ ...period, pageSize: 20, transactionId: 'S-1', eventType: 'A.B' }).next(),
  ],
];

describe('in the public spelling', () => {
  it.each(calls)('%s sends what is described, and reads all that an answer may hold', async (_, call) => {
    let faults: string[] | undefined;
    provider.script((response, request) => {
      const { method, path, body } = request;
      const described = DescribedCall.of(method, path);
      faults ??= described.faultsOf(path, body === '' ? undefined : JSON.parse(body));
      json(200, described.fullAnswer())(response, request);
    });
    const client = provider.client({ dialect: 'paypal-v1', retry: { maxAttempts: 1 } });
    await expect(call(client)).resolves.toBeDefined();
    expect(faults).toEqual([]);
  });
});
