import { afterAll, describe, expect, it } from 'vitest';
import { forAllTests } from '../../helpers/shared.js';
import { SandboxFixture } from '../sandbox-fixture.js';
import { approveFrom, balances, execute, newAccount } from './payment-service.js';

describe('the payee of a payment', () => {
  const sandbox = forAllTests(() => SandboxFixture.start());
  afterAll(async () => {
    expect(await sandbox.violations()).toEqual([]);
  });

  const withMethod = (payment_method: string, transaction: object = {}) =>
    sandbox.createPayment({ intent: 'sale', payment: { payer: { payment_method } }, transaction });

  const withPayee = (payee: object) => withMethod('paypal', { payee });

  it('is the owner of the application by default', async () => {
    await sandbox.configure({ accountId: 'OWNER' });
    const { body } = await withMethod('paypal');
    expect(body.transactions[0].payee).toEqual({ merchant_id: 'OWNER' });
    await sandbox.approve(body.id);
    await sandbox.execute(body.id);
    expect(await balances(sandbox, body.id)).toEqual({ 'payer:SANDBOXPAYER1': -10000, 'payee:OWNER': 10000 });
  });

  it.each(['wallet', 'paypal', 'wallet_method', '<wallet_method>'])('can be given for %s', async (method) => {
    const { status, body } = await withMethod(method, { payee: { email: 'to@example.com' } });
    expect(status).toBe(201);
    expect(body.payer.payment_method).toBe(method);
    expect(body.transactions[0].payee.email).toBe('to@example.com');
  });

  it.each(['bank', 'pay_upon_invoice', 'carrier', 'alternate_payment'])(
    'is refused for %s, which pays the owner only',
    async (method) => {
      const refused = await withMethod(method, { payee: { email: 'to@example.com' } });
      expect(refused.status).toBe(400);
      expect(refused.body).toMatchObject({
        name: 'VALIDATION_ERROR',
        details: [
          { field: 'transactions[0].payee', issue: 'A payee is possible with wallet and card payments only' },
        ],
      });
      const { body } = await withMethod(method);
      const approval = await approveFrom(sandbox, body.id);
      expect(approval.status).toBe(200);
      expect((await execute(sandbox, body.id, 'SANDBOXPAYER1')).body.state).toBe('approved');
    },
  );

  it('is refused when its e-mail and its id name different accounts, and accepted when they agree', async () => {
    const { id } = await newAccount(sandbox, { kind: 'business', email: 'agreed@example.com' });
    const contradiction = await withPayee({ email: 'agreed@example.com', merchant_id: 'OTHER' });
    expect(contradiction.body.details[0].field).toBe('transactions[0].payee.merchant_id');
    const agreed = await withPayee({ email: 'agreed@example.com', merchant_id: id });
    const repeated = await withPayee(agreed.body.transactions[0].payee);
    expect(repeated.body.transactions[0].payee).toEqual({ email: 'agreed@example.com', merchant_id: id });
    expect((await withPayee({})).body.details[0].field).toBe('transactions[0].payee.email');
  });

  it('of an unknown method is not accepted as a payment', async () => {
    const { body } = await withMethod('seashells');
    expect(body.details).toContainEqual({ field: 'payer.payment_method', issue: expect.any(String) });
  });
});
