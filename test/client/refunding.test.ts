import { afterAll, describe, expect, it } from 'vitest';
import {
  type Authorization,
  isSameAmount,
  type PaymentsClient,
  type PaymentsError,
  type Sale,
} from '#payments-client';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { captureOf, ConnectedSandbox, key, order, usd } from './connected-sandbox.js';

const sandbox = forAllTests(() => ConnectedSandbox.start());
afterAll(async () => {
  expect(await sandbox.service.violations()).toEqual([]);
});

async function captured(client: PaymentsClient) {
  const { paymentId, authorizationId } = await sandbox.authorize(client);
  const { id } = await client.authorizations.capture(authorizationId, captureOf('10.60'), key());
  return { paymentId, captureId: id };
}

async function sold(client: PaymentsClient): Promise<Sale> {
  const { id } = await client.payments.create({ ...order(), intent: 'sale' }, key());
  await sandbox.service.approve(id);
  const { payerId } = await client.payments.get(id);
  const { transactions } = await client.payments.execute(id, { payerId: payerId ?? '' }, key());
  return client.sales.get(transactions[0]?.saleId ?? '');
}

const part = (value: string, invoiceNumber: string) => ({ amount: usd(value), invoiceNumber });
const rest = { amount: 'remaining', invoiceNumber: 'the-rest' } as const;

describe.each(['interface', 'paypal-v1'] as const)('in the dialect %s', (dialect) => {
  it('a capture is refunded in part, then the rest, and no more', async () => {
    const client = sandbox.connect({ dialect });
    const { paymentId, captureId } = await captured(client);
    const first = await client.captures.refund(captureId, part('4.10', 'first'), key());
    expect(first).toMatchObject({ state: 'completed', captureId, paymentId, invoiceNumber: 'first' });
    await expect(client.captures.refund(captureId, part('6.51', 'more'), key())).rejects.toMatchObject({
      kind: 'rejected',
      code: 'REFUND_EXCEEDED_TRANSACTION_AMOUNT',
    });
    const second = await client.captures.refund(captureId, rest, key());
    expect(isSameAmount(second.amount, usd('6.50'))).toBe(true);
    expect(await client.refunds.get(second.id)).toEqual(second);
    await expect(client.captures.refund(captureId, rest, key())).rejects.toMatchObject({
      code: 'TRANSACTION_ALREADY_REFUNDED',
    });
    expect(await sandbox.service.booksOf(paymentId)).toEqual([
      'hold 1060',
      'capture 1060',
      'refund 410',
      'refund 650',
    ]);
  });

  it('a sale is made, and refunded once when the reply is lost', async () => {
    const client = sandbox.connect({ dialect });
    const sale = await sold(client);
    expect(sale.state).toBe('completed');
    await sandbox.service.switchOnFault({ operation: 'sale.refund', kind: 'drop_reply' });
    const refund = await client.sales.refund(sale.id, part('4.10', 'first'), key());
    expect(refund).toMatchObject({ saleId: sale.id, state: 'completed' });
    expect(await sandbox.service.booksOf(sale.paymentId ?? '')).toEqual(['sale 1060', 'refund 410']);
  });

  it('a refund that is declined moves nothing, and one may stay pending', async () => {
    const client = sandbox.connect({ dialect });
    const { paymentId, captureId } = await captured(client);
    await sandbox.service.switchOnFault({ operation: 'capture.refund', kind: 'decline' });
    await expect(client.captures.refund(captureId, rest, key())).rejects.toMatchObject({
      kind: 'declined',
      code: 'TRANSACTION_REFUSED',
    });
    await sandbox.service.switchOnFault({
      operation: 'capture.refund',
      kind: 'pending',
      settlesAs: 'denied',
      afterMs: 50,
    });
    const { id, state } = await client.captures.refund(captureId, rest, key());
    expect(state).toBe('pending');
    await expect.poll(async () => (await client.refunds.get(id)).state).toBe('failed');
    expect(await sandbox.service.booksOf(paymentId)).toEqual(['hold 1060', 'capture 1060']);
  });
});

const tooSoon = (error: PaymentsError): undefined => {
  if (error.code !== 'REAUTHORIZATION_TOO_SOON') throw error;
};
const isThere = (answer: Authorization | undefined) => answer !== undefined;

describe('an authorization', () => {
  it.each([
    ['interface', 'same'],
    ['paypal-v1', 'new'],
  ] as const)(
    'is reauthorized after its honour period (%s), under the %s id',
    async (dialect, reauthorizationId) => {
      await sandbox.service.configure({ dayLengthMs: 1_000, reauthorizationId });
      const client = sandbox.connect({ dialect });
      const { authorizationId } = await sandbox.authorize(client);
      const reauthorize = () =>
        client.authorizations.reauthorize(authorizationId, { amount: usd('11') }, key());
      await expect(reauthorize()).rejects.toMatchObject({
        kind: 'rejected',
        code: 'REAUTHORIZATION_TOO_SOON',
      });
      const reauthorized = await until(() => reauthorize().catch(tooSoon), isThere, 'the reauthorized hold');
      expect(reauthorized?.state).toBe('authorized');
      expect(isSameAmount(reauthorized!.amount, usd('11.00'))).toBe(true);
      const { state } = await client.authorizations.get(authorizationId);
      expect([state, reauthorized!.id === authorizationId]).toEqual(
        reauthorizationId === 'same' ? ['authorized', true] : ['voided', false],
      );
      await sandbox.service.configure({});
    },
  );
});
