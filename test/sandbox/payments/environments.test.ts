import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forAllTests } from '../../helpers/shared.js';
import { eventually, paymentBody, SandboxFixture } from '../sandbox-fixture.js';
import { WebhookReceiver } from '../webhook-receiver.js';
import { approveFrom, newAccount, newApplication, type Caller } from './payment-service.js';

describe('the environments sandbox and live', () => {
  let live: Caller;
  let receiver: WebhookReceiver;
  let liveReceiver: WebhookReceiver;

  const sandbox = forAllTests(() => SandboxFixture.start());
  beforeAll(async () => {
    live = await newApplication(sandbox, 'live-shop', { environment: 'live' });
    [receiver, liveReceiver] = await Promise.all([WebhookReceiver.start(), WebhookReceiver.start()]);
    const every = [{ name: '*' }];
    await sandbox.call('POST', '/v1/notifications/webhooks', { url: receiver.url, event_types: every });
    await live.call('POST', '/v1/notifications/webhooks', { url: liveReceiver.url, event_types: every });
  });
  afterAll(async () => {
    expect(await sandbox.violations()).toEqual([]);
    await Promise.all([receiver.stop(), liveReceiver.stop()]);
  });

  it('keep payments and their events apart', async () => {
    const { body: ours } = await live.call('POST', '/v1/payments/payment', paymentBody());
    const { paymentId } = await sandbox.authorized();
    await approveFrom(sandbox, ours.id);
    await eventually(() => liveReceiver.typesOf(ours.id)).toEqual(['PAYMENTS.PAYMENT.CREATED']);
    await eventually(() => receiver.typesOf(paymentId)).toEqual(['PAYMENTS.PAYMENT.CREATED']);
    expect(receiver.typesOf(ours.id)).toEqual([]);
    expect(liveReceiver.typesOf(paymentId)).toEqual([]);

    const execute = { payer_id: 'LIVEPAYER1' };
    for (const [method, path, body] of [
      ['GET', `/v1/payments/payment/${ours.id}`, undefined],
      ['POST', `/v1/payments/payment/${ours.id}/execute`, execute],
      [
        'PATCH',
        `/v1/payments/payment/${ours.id}`,
        [{ op: 'add', path: '/transactions/0/custom', value: 'x' }],
      ],
    ] as const) {
      expect((await sandbox.call(method, path, body)).body.name).toBe('INVALID_RESOURCE_ID');
    }
    expect((await live.call('POST', `/v1/payments/payment/${ours.id}/execute`, execute)).status).toBe(200);
  });

  it('have their own payers', async () => {
    const { body: ours } = await live.call('POST', '/v1/payments/payment', paymentBody());
    expect((await approveFrom(sandbox, ours.id, 'SANDBOXPAYER1')).status).toBe(400);
    const approval = await approveFrom(sandbox, ours.id);
    expect(new URL(approval.body.redirectUrl).searchParams.get('PayerID')).toBe('LIVEPAYER1');
    const page = await sandbox.request(
      'GET',
      new URL(ours.links[1].href).pathname + new URL(ours.links[1].href).search,
    );
    expect(page.body).not.toContain('SANDBOXPAYER1');
  });

  it('have their own payees, even with equal e-mail addresses', async () => {
    const email = 'both@example.com';
    const body = paymentBody({ transaction: { payee: { email } } });
    const payeeOf = async (caller: Caller) =>
      (await caller.call('POST', '/v1/payments/payment', body)).body.transactions[0].payee
        .merchant_id as string;
    expect(await payeeOf(live)).not.toBe(await payeeOf(sandbox));
    const known = await newAccount(sandbox, { id: 'SANDBOXONLY', kind: 'business', email });
    expect(await payeeOf(sandbox)).toBe(known.id);
    expect(await payeeOf(live)).not.toBe(known.id);
    const byId = paymentBody({ transaction: { payee: { merchant_id: known.id } } });
    expect((await sandbox.call('POST', '/v1/payments/payment', byId)).status).toBe(201);
    expect((await live.call('POST', '/v1/payments/payment', byId)).body.details).toEqual([
      { field: 'transactions[0].payee.merchant_id', issue: 'No such account' },
    ]);
  });
});
