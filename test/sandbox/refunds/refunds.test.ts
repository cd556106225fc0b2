import { afterAll, describe, expect, it } from 'vitest';
import { forAllTests } from '../../helpers/shared.js';
import { SandboxFixture } from '../sandbox-fixture.js';
import { collect, dollars, read, readRefund, refund, relsOf, returnsOf } from './collected-money.js';

describe.each(['capture', 'sale'] as const)('refunds of a %s', (kind) => {
  const sandbox = forAllTests(() => SandboxFixture.start());
  afterAll(async () => {
    expect(await sandbox.violations()).toEqual([]);
  });

  it.each([
    ['an empty body', {}],
    ['no body', undefined],
  ])('refund all of it when asked with %s', async (_, body) => {
    const money = await collect(sandbox, kind);
    const { status, body: made } = await refund(sandbox, money, body);
    expect(status).toBe(201);
    expect(made).toMatchObject({
      state: 'completed',
      amount: { total: '100.00', currency: 'USD' },
      total_refunded_amount: { value: '100.00', currency: 'USD' },
      [`${kind}_id`]: money.id,
      parent_payment: money.paymentId,
    });
    expect(made).not.toHaveProperty(kind === 'sale' ? 'capture_id' : 'sale_id');
    expect(relsOf(made)).toEqual(['self', 'parent_payment', kind]);
    expect(await readRefund(sandbox, made.id)).toEqual(made);
    const refunded = await read(sandbox, money);
    expect(refunded.state).toBe('refunded');
    expect(relsOf(refunded)).not.toContain('refund');
    expect(await returnsOf(sandbox, money)).toEqual(['refund 10000']);
  });

  it('refund parts of it, and the rest when no amount is given', async () => {
    const money = await collect(sandbox, kind);
    const first = await refund(sandbox, money, dollars('30.5'));
    expect(first.body).toMatchObject({
      amount: { total: '30.50' },
      total_refunded_amount: { value: '30.50' },
    });
    expect(await read(sandbox, money)).toMatchObject({ state: 'partially_refunded' });
    const rest = await refund(sandbox, money, {});
    expect(rest.body).toMatchObject({
      amount: { total: '69.50' },
      total_refunded_amount: { value: '100.00' },
    });
    expect(await returnsOf(sandbox, money)).toEqual(['refund 3050', 'refund 6950']);
    const { body: payment } = await sandbox.call('GET', `/v1/payments/payment/${money.paymentId}`);
    const related: object[] = payment.transactions[0].related_resources;
    expect(related.flatMap((one) => ('refund' in one ? [one.refund] : []))).toEqual([first.body, rest.body]);
    expect(related).toContainEqual({ [kind]: expect.objectContaining({ state: 'refunded' }) });
  });

  it('carry their own references, in the answer and in the books', async () => {
    const money = await collect(sandbox, kind);
    const own = {
      invoice_number: 'refund-1',
      description: 'Returned shoes',
      reason: 'too small',
      custom: 'r-1',
    };
    const { body } = await refund(sandbox, money, dollars('10.00', own), 'carry-1');
    expect(body).toMatchObject(own);
    await refund(sandbox, money, dollars('10.00', { invoice_number: 'refund-2' }), 'carry-2');
    expect((await sandbox.movements(money.paymentId)).filter((one) => one.kind === 'refund')).toMatchObject([
      {
        refundId: body.id,
        [`${kind}Id`]: money.id,
        invoiceNumber: 'refund-1',
        requestId: expect.stringMatching('carry-1'),
        custom: 'r-1',
      },
      { invoiceNumber: 'refund-2', requestId: 'carry-2', custom: 'order-7' },
    ]);
  });

  it('accept what public clients send besides the amount', async () => {
    const money = await collect(sandbox, kind);
    const { status } = await refund(sandbox, money, {
      ...dollars('10.00'),
      refund_type: 'Partial',
      refund_source: 'INSTANT',
      refund_advice: false,
      is_non_platform_transaction: 'NO',
      items: [{ name: 'shoes', quantity: '1' }],
      payer_info: { email: 'payer@example.com' },
      supplementary_data: [{ name: 'a', value: 'b' }],
    });
    expect(status).toBe(201);
  });

  it('are exact in currencies without decimals and with three', async () => {
    const yen = await collect(sandbox, kind, { total: '1000', currency: 'JPY' });
    const { body } = await refund(sandbox, yen, { amount: { total: '999', currency: 'JPY' } });
    expect(body.total_refunded_amount).toEqual({ value: '999', currency: 'JPY' });
    expect((await refund(sandbox, yen, {})).body.amount).toEqual({ total: '1', currency: 'JPY' });
    const dinars = await collect(sandbox, kind, { total: '1.234', currency: 'KWD' });
    await refund(sandbox, dinars, { amount: { total: '0.001', currency: 'KWD' } });
    expect((await refund(sandbox, dinars)).body.amount).toEqual({ total: '1.233', currency: 'KWD' });
  });

  it('are refused once nothing is left, above what is left, and in another currency', async () => {
    const money = await collect(sandbox, kind);
    const refusal = async (body: object) => {
      const answer = await refund(sandbox, money, body);
      return [answer.status, answer.body.name];
    };
    expect(await refusal(dollars('100.01'))).toEqual([400, 'REFUND_EXCEEDED_TRANSACTION_AMOUNT']);
    expect(await refusal({ amount: { total: '1.00', currency: 'EUR' } })).toEqual([400, 'CURRENCY_MISMATCH']);
    await refund(sandbox, money, dollars('99.00'));
    expect(await refusal(dollars('1.01'))).toEqual([400, 'REFUND_EXCEEDED_TRANSACTION_AMOUNT']);
    await refund(sandbox, money, dollars('1.00'));
    expect(await refusal(dollars('0.01'))).toEqual([400, 'TRANSACTION_ALREADY_REFUNDED']);
    expect(await refusal({})).toEqual([400, 'TRANSACTION_ALREADY_REFUNDED']);
    expect(await returnsOf(sandbox, money)).toEqual(['refund 9900', 'refund 100']);
  });

  it.each([
    ['amount.total', { amount: { currency: 'USD' } }],
    ['amount.total', dollars('0.00')],
    ['amount.total', dollars('-1.00')],
    ['amount.total', dollars('1.001')],
    ['amount.currency', { amount: { total: '1.00', currency: 'XXY' } }],
    ['amount', { refund_type: 'Partial' }],
    ['reason', { reason: 'r'.repeat(31) }],
    ['total', { total: '1.00' }],
    ['body', []],
  ])('name the field that is wrong: %s', async (field, body) => {
    const money = await collect(sandbox, kind);
    const answer = await refund(sandbox, money, body);
    expect(answer).toMatchObject({ status: 400, body: { name: 'VALIDATION_ERROR', details: [{ field }] } });
    expect((await read(sandbox, money)).state).toBe('completed');
  });

  it('are made and visible only for the application whose money it is', async () => {
    const money = await collect(sandbox, kind);
    const { body: made } = await refund(sandbox, money, dollars('1.00'));
    await sandbox.request('PUT', '/admin/applications/other', { clientSecret: 'other-secret' });
    const authorization = `Bearer ${await sandbox.newToken('other', 'other-secret')}`;
    for (const [method, path, body] of [
      ['POST', `/v1/payments/${kind}/${money.id}/refund`, {}],
      ['GET', `/v1/payments/refund/${made.id}`, undefined],
      ['GET', `/v1/payments/${kind}/${money.id}`, undefined],
    ] as const) {
      const answer = await sandbox.request(method, path, body, { authorization });
      expect(answer).toMatchObject({ status: 404, body: { name: 'INVALID_RESOURCE_ID' } });
    }
    expect((await refund(sandbox, { ...money, id: 'NONE' }, {})).body.name).toBe('INVALID_RESOURCE_ID');
    expect(await returnsOf(sandbox, money)).toEqual(['refund 100']);
  });
});
