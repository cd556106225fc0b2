import { afterAll, describe, expect, it } from 'vitest';
import { forAllTests } from '../helpers/shared.js';
import { honoured } from './authorizations/reauthorizing.js';
import { PATH as PAYOUTS, batchOf, itemFor } from './payouts/payout-helpers.js';
import { SandboxFixture } from './sandbox-fixture.js';

const sandbox = forAllTests(() => SandboxFixture.start());
afterAll(async () => {
  expect(await sandbox.violations()).toEqual([]);
});

const usd = (total: string) => ({ total, currency: 'USD', details: null });

/** Serializers of many languages write null for what their caller has not set. */
describe('an optional field that is null', () => {
  it('is absent in a capture, a refund and a reauthorization', async () => {
    const { authorizationId, paymentId } = await honoured(sandbox);
    const path = `/v1/payments/authorization/${authorizationId}`;
    expect((await sandbox.call('POST', `${path}/reauthorize`, { amount: usd('100.00') })).status).toBe(201);
    const nothingMore = { is_final_capture: null, invoice_number: null, note_to_payer: null };
    const capture = { amount: usd('10.00'), ...nothingMore };
    const { status, body } = await sandbox.call('POST', `${path}/capture`, capture);
    expect([status, body.is_final_capture]).toEqual([201, false]);
    const refund = { amount: usd('1.00'), description: null, reason: null, invoice_number: null };
    const refunded = await sandbox.call('POST', `/v1/payments/capture/${body.id}/refund`, refund);
    expect(refunded.status).toBe(201);
    expect(await sandbox.booksOf(paymentId)).toEqual([
      'hold 10000',
      'release 10000',
      'hold 10000',
      'capture 1000',
      'refund 100',
    ]);
  });

  it('refunds all that is left, when it is the amount', async () => {
    const { authorizationId, paymentId } = await sandbox.authorized();
    const { body: capture } = await sandbox.capture(authorizationId, '10.00');
    const path = `/v1/payments/capture/${capture.id}/refund`;
    expect((await sandbox.call('POST', path, { amount: null, refund_type: 'Partial' })).status).toBe(400);
    expect((await sandbox.call('POST', path, { amount: null })).status).toBe(201);
    expect(await sandbox.booksOf(paymentId)).toEqual(['hold 10000', 'capture 1000', 'refund 1000']);
  });

  it('is absent in a payout', async () => {
    const item = itemFor('anna@example.com', { note: null, sender_item_id: null, recipient_wallet: null });
    const batch = batchOf([item], { email_subject: null, recipient_type: null });
    expect((await sandbox.call('POST', PAYOUTS, batch)).status).toBe(201);
  });

  it('is absent in a webhook, a simulated event and a resent one', async () => {
    const type = { name: '*', description: null, status: null };
    const webhook = { url: 'http://127.0.0.1:9/hook', event_types: [type], status: null };
    const { body } = await sandbox.call('POST', '/v1/notifications/webhooks', webhook);
    const simulation = { webhook_id: body.id, url: null, event_type: 'PAYMENT.SALE.DENIED' };
    expect((await sandbox.call('POST', '/v1/notifications/simulate-event', simulation)).status).toBe(202);
    await sandbox.authorized();
    const events = '/v1/notifications/webhooks-events';
    const [event] = (await sandbox.call('GET', events)).body.events;
    const resent = await sandbox.call('POST', `${events}/${event.id}/resend`, { webhook_ids: null });
    expect(resent.status).toBe(202);
  });
});
