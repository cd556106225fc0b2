import { describe, expect, it } from 'vitest';
import { isSameAmount } from '#payments-client';
import { forAllTests, forEachTest } from '../helpers/shared.js';
import { ConnectedSandbox, captureOf, key, usd } from './connected-sandbox.js';
import { json, startScriptedProvider } from './scripted-provider.js';

const sandbox = forAllTests(() => ConnectedSandbox.start());

describe.each(['interface', 'paypal-v1'] as const)('in the dialect %s', (dialect) => {
  it('a refund made elsewhere is read back with the id of what it refunds', async () => {
    const client = sandbox.connect({ dialect });
    const { paymentId, authorizationId } = await sandbox.authorize(client);
    const { id: captureId } = await client.authorizations.capture(authorizationId, captureOf('10.60'), key());
    const made = await sandbox.service.request('POST', `/admin/captures/${captureId}/refund`, {
      amount: { total: '4.10', currency: 'USD' },
      invoice_number: 'desk-7',
    });
    const refund = await client.refunds.get(made.body.id);
    expect(refund).toMatchObject({
      state: 'completed',
      captureId,
      saleId: undefined,
      paymentId,
      invoiceNumber: 'desk-7',
      updateTime: expect.any(String),
    });
    expect(isSameAmount(refund.amount, usd('4.1'))).toBe(true);
    const { transactions } = await client.payments.get(paymentId);
    expect(transactions[0]?.refunds).toEqual([refund]);
    expect((await client.captures.get(captureId)).state).toBe('partially_refunded');
  });

  it('a refunded sale and its refund are read back', async () => {
    const client = sandbox.connect({ dialect });
    const { body: created } = await sandbox.service.createPayment({ intent: 'sale', total: '7.00' });
    await sandbox.service.approve(created.id);
    const { body } = await sandbox.service.execute(created.id);
    const saleId: string = body.transactions[0].related_resources[0].sale.id;
    const made = await sandbox.service.request('POST', `/admin/sales/${saleId}/refund`, {});
    expect(await client.refunds.get(made.body.id)).toMatchObject({ state: 'completed', saleId });
    expect(await client.sales.get(saleId)).toMatchObject({ state: 'refunded', paymentId: created.id });
  });
});

describe('a refund', () => {
  const provider = forEachTest(startScriptedProvider);

  it('that does not exist is not found', async () => {
    await expect(sandbox.connect().refunds.get('REFUND-NOBODY-MADE')).rejects.toMatchObject({
      kind: 'not_found',
    });
  });

  it('is the same amount with and without a minus sign', async () => {
    provider.script(
      json(200, { id: 'REF-1', state: 'completed', amount: { total: '-4.10', currency: 'USD' } }),
    );
    expect((await provider.client().refunds.get('REF-1')).amount).toEqual(usd('4.10'));
  });

  it('names what it refunds by its links when it has no fields for it', async () => {
    provider.script(
      json(200, {
        id: 'REF-1',
        state: 'on_the_moon',
        amount: { total: '4', currency: 'USD' },
        links: ['refund/REF-1', 'capture/CAP-1', 'payment/PAY-1'].map((path) => ({
          rel: 'x',
          href: `https://api.example/v1/payments/${path}`,
        })),
      }),
    );
    await expect(provider.client().refunds.get('REF-1')).resolves.toMatchObject({
      state: 'on_the_moon',
      captureId: 'CAP-1',
      paymentId: 'PAY-1',
    });
  });
});
