import { describe, expect, it } from 'vitest';
import { forAllTests } from '../../helpers/shared.js';
import {
  eventually,
  PAYER_ID,
  paymentBody,
  SandboxFixture,
  type PaymentChanges,
} from '../sandbox-fixture.js';

describe('payments', () => {
  const sandbox = forAllTests(() => SandboxFixture.start());

  const get = async (id: string) => (await sandbox.call('GET', `/v1/payments/payment/${id}`)).body;
  const issuesOf = async (changes: PaymentChanges) => {
    const { status, body } = await sandbox.createPayment(changes);
    expect(status).toBe(400);
    expect(body).toMatchObject({
      name: 'VALIDATION_ERROR',
      message: expect.any(String),
      debug_id: expect.any(String),
    });
    expect(body.information_link).toContain('VALIDATION_ERROR');
    return body.details as { field: string; issue: string }[];
  };

  describe('created', () => {
    it('wait for their payer, with the links of the next steps', async () => {
      const { status, body } = await sandbox.createPayment({
        transaction: { invoice_number: 'inv-1', custom: 'ours', description: 'Tea' },
      });
      expect(status).toBe(201);
      expect(body).toMatchObject({
        id: expect.stringMatching(/^PAY-[A-Z0-9]+$/),
        intent: 'authorize',
        state: 'created',
        transactions: [
          {
            amount: { total: '100.00', currency: 'USD' },
            invoice_number: 'inv-1',
            custom: 'ours',
            description: 'Tea',
            related_resources: [],
          },
        ],
        links: [
          { rel: 'self', method: 'GET', href: `${sandbox.url}/v1/payments/payment/${body.id}` },
          { rel: 'approval_url', method: 'REDIRECT', href: expect.stringContaining('/checkout?token=EC-') },
          { rel: 'execute', method: 'POST', href: `${sandbox.url}/v1/payments/payment/${body.id}/execute` },
        ],
      });
      expect(await get(body.id)).toEqual(body);
      expect(await sandbox.movements(body.id)).toEqual([]);
    });

    it('are accepted with a trailing slash and with the public API’s other fields', async () => {
      const tea = { name: 'Tea', quantity: '1', price: '100.00', currency: 'USD' };
      const body = paymentBody({
        transaction: { item_list: { items: [tea] }, soft_descriptor: 'TEA' },
        payment: { note_to_payer: 'Thanks', payer: { payment_method: 'paypal' } },
      });
      const answer = await sandbox.call('POST', '/v1/payments/payment/', body);
      expect(answer.status).toBe(201);
      expect(answer.body).toMatchObject({
        note_to_payer: 'Thanks',
        transactions: [{ item_list: { items: [tea] }, soft_descriptor: 'TEA' }],
      });
    });

    it.each([
      ['10.6', 'USD', '10.60'],
      ['1000', 'JPY', '1000'],
      ['1.234', 'KWD', '1.234'],
    ])('answer %s %s as %s', async (total, currency, written) => {
      const { body } = await sandbox.createPayment({ total, currency });
      expect(body.transactions[0].amount.total).toBe(written);
    });

    it.each<[string, PaymentChanges, string]>([
      ['too many decimals', { total: '10.001' }, 'transactions[0].amount.total'],
      ['decimals in yen', { total: '10.00', currency: 'JPY' }, 'transactions[0].amount.total'],
      ['nothing to pay', { total: '0.00' }, 'transactions[0].amount.total'],
      ['a negative amount', { total: '-5.00' }, 'transactions[0].amount.total'],
      ['an unknown currency', { currency: 'ABC' }, 'transactions[0].amount.currency'],
      ['an unknown intent', { intent: 'guess' }, 'intent'],
      ['an unknown field', { payment: { colour: 'red' } }, 'colour'],
      [
        'a payee that is no address',
        { transaction: { payee: { email: 'nobody' } } },
        'transactions[0].payee.email',
      ],
      [
        'a long invoice number',
        { transaction: { invoice_number: 'x'.repeat(128) } },
        'transactions[0].invoice_number',
      ],
      ['no transaction', { payment: { transactions: [] } }, 'transactions'],
      [
        'an amount that is a number',
        { transaction: { amount: { total: 5, currency: 'USD' } } },
        'transactions[0].amount.total',
      ],
      [
        'a script as return address',
        {
          payment: { redirect_urls: { return_url: 'javascript:alert(1)', cancel_url: 'http://127.0.0.1/' } },
        },
        'redirect_urls.return_url',
      ],
      ['no return address', { payment: { redirect_urls: undefined } }, 'redirect_urls'],
    ])('are refused with %s, naming the field', async (_, changes, field) => {
      expect(await issuesOf(changes)).toContainEqual({ field, issue: expect.any(String) });
    });

    it('are refused when their details do not add up to the total, and accepted when they do', async () => {
      expect(await issuesOf({ transaction: { amount: withDetails('11.50') } })).toContainEqual({
        field: 'transactions[0].amount.total',
        issue: expect.stringContaining('add up'),
      });
      const { status, body } = await sandbox.createPayment({ transaction: { amount: withDetails('11.00') } });
      expect(status).toBe(201);
      expect(body.transactions[0].amount.details).toEqual({
        subtotal: '10.00',
        tax: '1.50',
        shipping_discount: '0.50',
      });
    });

    it('are approved at once by a rule on their payee or total', async () => {
      await sandbox.configure({
        approvalRules: [
          { maxTotal: '20.00', approval: 'immediate' },
          { payeeEmail: 'Trusted@example.com', approval: 'immediate' },
        ],
      });
      const small = await sandbox.createPayment({ total: '20' });
      const trusted = await sandbox.createPayment({
        transaction: { payee: { email: 'trusted@example.com' } },
      });
      const other = await sandbox.createPayment({ total: '20.01' });
      await sandbox.configure({});
      expect([small, trusted, other].map(({ body }) => body.state)).toEqual([
        'approved',
        'approved',
        'created',
      ]);
      expect(small.body.transactions[0].links.map(({ rel }: { rel: string }) => rel)).toEqual([
        'self',
        'capture',
        'void',
        'parent_payment',
      ]);
      expect(await sandbox.booksOf(small.body.id)).toEqual(['hold 2000']);
    });
  });

  describe('approved and executed', () => {
    it('show the payer’s approval to a poll, then hold the funds once executed', async () => {
      const { body: created } = await sandbox.createPayment({
        transaction: { custom: 'ours', invoice_number: 'inv-2' },
      });
      expect((await sandbox.execute(created.id)).body.name).toBe('PAYMENT_NOT_APPROVED_FOR_EXECUTION');
      const { body: approval } = await sandbox.approve(created.id);
      const back = new URL(approval.redirectUrl);
      expect(Object.fromEntries(back.searchParams)).toEqual({
        order: '7',
        paymentId: created.id,
        token: expect.stringMatching(/^EC-/),
        PayerID: PAYER_ID,
      });
      expect(await get(created.id)).toMatchObject({
        state: 'created',
        payer: { status: 'VERIFIED', payer_info: { payer_id: PAYER_ID } },
      });

      const executed = await sandbox.execute(created.id, { 'paypal-request-id': 'key-1' });
      expect(executed.status).toBe(200);
      const [transaction] = executed.body.transactions;
      expect(executed.body.state).toBe('approved');
      expect(transaction.related_resources[0].authorization).toMatchObject({
        state: 'authorized',
        amount: { total: '100.00', currency: 'USD', details: { subtotal: '100.00' } },
        parent_payment: created.id,
      });
      expect(transaction.links).toEqual(transaction.related_resources[0].authorization.links);
      expect(await get(created.id)).toEqual(executed.body);
      expect(await sandbox.movements(created.id)).toMatchObject([
        { kind: 'hold', amountMinor: 10000, requestId: 'key-1', invoiceNumber: 'inv-2', custom: 'ours' },
      ]);
    });

    it('move the money at once with intent sale', async () => {
      const { body: created } = await sandbox.createPayment({ intent: 'sale' });
      await sandbox.approve(created.id);
      const { body } = await sandbox.execute(created.id);
      const { sale } = body.transactions[0].related_resources[0];
      expect(sale).toMatchObject({
        state: 'completed',
        parent_payment: created.id,
        amount: { total: '100.00' },
      });
      expect((await sandbox.call('GET', `/v1/payments/sale/${sale.id}`)).body).toEqual(sale);
      expect(await sandbox.booksOf(created.id)).toEqual(['sale 10000']);
    });

    it('execute once, however many calls execute at the same moment', async () => {
      const { body: created } = await sandbox.createPayment();
      await sandbox.approve(created.id);
      const answers = await Promise.all(Array.from({ length: 8 }, () => sandbox.execute(created.id)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 400)).toHaveLength(7);
      expect(
        answers
          .filter(({ status }) => status === 400)
          .every(({ body }) => body.name === 'PAYMENT_STATE_INVALID'),
      ).toBe(true);
      expect(await sandbox.booksOf(created.id)).toEqual(['hold 10000']);
    });

    it('refuse another payer, and an amount that the payer did not see', async () => {
      const { body: created } = await sandbox.createPayment();
      await sandbox.approve(created.id);
      const execute = (body: object) =>
        sandbox.call('POST', `/v1/payments/payment/${created.id}/execute`, body);
      expect((await execute({ payer_id: 'SOMEONEELSE' })).body.name).toBe('INVALID_PAYER_ID');
      const other = [{ amount: { total: '100.01', currency: 'USD' } }];
      expect((await execute({ payer_id: PAYER_ID, transactions: other })).body.name).toBe('VALIDATION_ERROR');
      const same = [{ amount: { total: '100.0', currency: 'USD' } }];
      expect((await execute({ payer_id: PAYER_ID, transactions: same })).status).toBe(200);
    });

    it('fail when they are not executed in time', async () => {
      await sandbox.configure({ approvalWindowMs: 1 });
      const { body: created } = await sandbox.createPayment();
      await sandbox.configure({});
      await eventually(() => get(created.id)).toMatchObject({ state: 'failed' });
      expect((await sandbox.approve(created.id)).status).toBe(409);
      expect((await sandbox.execute(created.id)).body.name).toBe('PAYMENT_EXPIRED');
    });
  });
});

function withDetails(total: string): object {
  const details = { subtotal: '10.00', tax: '1.5', shipping_discount: '0.50' };
  return { total, currency: 'USD', details };
}
