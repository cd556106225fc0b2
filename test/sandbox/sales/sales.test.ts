import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forAllTests } from '../../helpers/shared.js';
import { CLIENT_ID, eventually, SandboxFixture } from '../sandbox-fixture.js';
import { relsOf } from '../refunds/collected-money.js';
import { WebhookReceiver } from '../webhook-receiver.js';

describe('sales', () => {
  const sandbox = forAllTests(() => SandboxFixture.start());
  const receiver = forAllTests(() => WebhookReceiver.start());
  beforeAll(async () => {
    const names = ['PENDING', 'COMPLETED', 'DENIED'].map((what) => ({ name: `PAYMENT.SALE.${what}` }));
    await sandbox.call('POST', '/v1/notifications/webhooks', { url: receiver.url, event_types: names });
  });
  afterAll(async () => {
    expect(await sandbox.violations()).toEqual([]);
  });

  async function sold() {
    const { body: created } = await sandbox.createPayment({
      intent: 'sale',
      transaction: { invoice_number: 'order-7', custom: 'ours' },
    });
    await sandbox.approve(created.id);
    const { body: payment } = await sandbox.execute(created.id);
    const [{ sale }] = payment.transactions[0].related_resources;
    return { paymentId: created.id as string, payment, sale, saleId: sale.id as string };
  }

  const saleOf = async (id: string) => (await sandbox.call('GET', `/v1/payments/sale/${id}`)).body;

  it('move the money when the payment is executed', async () => {
    const { paymentId, sale, saleId } = await sold();
    expect(sale).toMatchObject({
      state: 'completed',
      amount: { total: '100.00', currency: 'USD', details: { subtotal: '100.00' } },
      parent_payment: paymentId,
      invoice_number: 'order-7',
      custom: 'ours',
    });
    expect(relsOf(sale)).toEqual(['self', 'refund', 'parent_payment']);
    expect(await saleOf(saleId)).toEqual(sale);
    expect(await sandbox.movements(paymentId)).toMatchObject([
      { kind: 'sale', amountMinor: 10000, saleId, invoiceNumber: 'order-7', custom: 'ours' },
    ]);
    await eventually(() => receiver.typesOf(saleId)).toEqual(['PAYMENT.SALE.COMPLETED']);
  });

  it('move the money only when a pending one completes, also across a restart', async () => {
    await sandbox.configure({ saleOutcome: 'pending_then_completed', saleSettleMs: 3_600_000 });
    const { paymentId, sale, saleId, payment } = await sold();
    await sandbox.configure({});
    expect(sale).toMatchObject({ state: 'pending', reason_code: 'PAYMENT_REVIEW' });
    expect(relsOf(sale)).toEqual(['self', 'parent_payment']);
    expect(relsOf(payment.transactions[0])).toEqual(['self']);
    expect(await sandbox.booksOf(paymentId)).toEqual([]);
    expect(await sandbox.violations()).toEqual([]);
    await sandbox.sql('UPDATE sales SET settles_at = now()');
    await sandbox.restart();
    await eventually(() => saleOf(saleId)).toMatchObject({ state: 'completed' });
    expect(await sandbox.booksOf(paymentId)).toEqual(['sale 10000']);
    await eventually(() => receiver.typesOf(saleId)).toEqual([
      'PAYMENT.SALE.PENDING',
      'PAYMENT.SALE.COMPLETED',
    ]);
  });

  it('move nothing when a pending one is denied, as a fault decides for the next execution', async () => {
    await sandbox.switchOnFault({
      kind: 'pending',
      clientId: CLIENT_ID,
      operation: 'payment.execute',
      settlesAs: 'denied',
      afterMs: 1,
    });
    const denied = await sold();
    expect(denied.sale.state).toBe('pending');
    await eventually(() => saleOf(denied.saleId)).toMatchObject({ state: 'denied' });
    expect(await sandbox.booksOf(denied.paymentId)).toEqual([]);
    await eventually(() => receiver.typesOf(denied.saleId)).toEqual([
      'PAYMENT.SALE.PENDING',
      'PAYMENT.SALE.DENIED',
    ]);
    expect((await sold()).sale.state).toBe('completed');
  });

  it.each([
    ['completed', 'approved', undefined],
    ['denied', 'failed', 'PAYER_CANNOT_PAY'],
  ])('move a payment that waits for them: %s', async (outcome, state, failure_reason) => {
    await sandbox.configure({
      saleOutcome: `pending_then_${outcome}`,
      saleSettleMs: 3_600_000,
      pendingPaymentState: 'in_progress',
    });
    const { payment, paymentId, saleId } = await sold();
    await sandbox.configure({});
    expect(payment.state).toBe('in_progress');
    await sandbox.sql(`UPDATE sales SET settles_at = now() WHERE id = '${saleId}'`);
    const paymentNow = async () => (await sandbox.call('GET', `/v1/payments/payment/${paymentId}`)).body;
    await eventually(paymentNow).toMatchObject({ state });
    expect((await paymentNow()).failure_reason).toBe(failure_reason);
    expect((await saleOf(saleId)).state).toBe(outcome);
  });

  it('are not found by another application', async () => {
    const { saleId } = await sold();
    await sandbox.request('PUT', '/admin/applications/other', { clientSecret: 'other-secret' });
    const authorization = `Bearer ${await sandbox.newToken('other', 'other-secret')}`;
    const seen = await sandbox.request('GET', `/v1/payments/sale/${saleId}`, undefined, { authorization });
    expect(seen).toMatchObject({ status: 404, body: { name: 'INVALID_RESOURCE_ID' } });
  });

  it('belong to a payment or to an agreement, never to neither or both', async () => {
    const { saleId } = await sold();
    const set = (change: string) => sandbox.sql(`UPDATE sales SET ${change} WHERE id = '${saleId}'`);
    await expect(set('payment_id = NULL')).rejects.toThrow('check');
    await expect(set("billing_agreement_id = 'I-1'")).rejects.toThrow('check');
  });
});
