import { describe, expect, it } from 'vitest';
import { outcomeOfPayment } from '#worker/provider/payment-answer.js';
import { UnreadableAnswerError, factsOf } from '#worker/provider/provider-facts.js';
import type { Payment, Sale, Transaction } from '#payments-client';

const order = { paymentId: 'pay_1', amount: { minor: 10_00, currency: 'USD' }, intent: 'sale' } as const;
const none = {
  paymentId: undefined,
  agreementId: undefined,
  reasonCode: undefined,
  createTime: undefined,
  updateTime: undefined,
};

function answer(shown: Partial<Payment>, sale?: Partial<Sale>): Payment {
  const amount = { value: '10.0', currency: 'USD' };
  const sales = sale ? [{ ...none, id: 'SALE-1', state: 'completed', amount, ...sale }] : [];
  return {
    id: 'PAY-1',
    state: 'created',
    intent: 'sale',
    approvalUrl: undefined,
    payerId: undefined,
    payerStatus: undefined,
    failureReason: undefined,
    transactions: [transactionOf(sales)],
    createTime: undefined,
    updateTime: undefined,
    ...shown,
  };
}

function transactionOf(sales: readonly Sale[]): Transaction {
  return {
    amount: undefined,
    invoiceNumber: undefined,
    custom: undefined,
    authorizationId: undefined,
    saleId: sales[0]?.id,
    authorizations: [],
    captures: [],
    sales,
    refunds: [],
  };
}

const approvalUrl = 'https://pay.example/?token=EC-1';

describe('the answer to the creation or execution of a sale', () => {
  it.each([
    ['completed', 'completed'],
    ['pending', 'pending'],
    ['denied', 'denied'],
    ['partially_refunded', 'completed'],
    ['refunded', 'completed'],
    ['a_state_of_next_year', 'pending'],
  ])('that shows a %s sale means that it is %s', (state, status) => {
    expect(outcomeOfPayment(answer({ state: 'approved' }, { state }), order)).toEqual({
      type: 'saleAnswered',
      providerPaymentId: 'PAY-1',
      sale: { saleId: 'SALE-1', minor: 10_00, status },
    });
  });

  it.each(['in_progress', 'failed', 'created', 'a_state_of_next_year'])(
    'follows the sale even when the payment is called %s',
    (state) => {
      expect(outcomeOfPayment(answer({ state }, { state: 'denied' }), order)).toMatchObject({
        type: 'saleAnswered',
        sale: { status: 'denied' },
      });
    },
  );

  it('without a sale asks for the payer’s approval when it has a link for that', () => {
    const asked = answer({ state: 'created', approvalUrl });
    expect(outcomeOfPayment(asked, order)).toMatchObject({ type: 'paymentCreated', approvalToken: 'EC-1' });
  });

  it('that has failed without a sale is declined by its code', () => {
    const failed = answer({ state: 'failed', failureReason: 'PAYER_CANNOT_PAY' });
    expect(outcomeOfPayment(failed, order)).toEqual({
      type: 'stepDeclined',
      reason: 'The provider declined the payment (PAYER_CANNOT_PAY).',
    });
  });

  it('that says none of this leads to a lookup, and is never called completed', () => {
    expect(() => outcomeOfPayment(answer({ state: 'approved' }), order)).toThrow(UnreadableAnswerError);
    const yen = answer(
      { state: 'approved' },
      { state: 'completed', amount: { value: '1000', currency: 'JPY' } },
    );
    expect(() => outcomeOfPayment(yen, order)).toThrow(UnreadableAnswerError);
    expect(() => factsOf(yen, 'USD')).toThrow(UnreadableAnswerError);
  });

  it('is read as a hold when a hold was ordered', () => {
    const asked = answer({ state: 'created', approvalUrl }, { state: 'completed' });
    expect(outcomeOfPayment(asked, { paymentId: 'pay_1', amount: order.amount })).toMatchObject({
      type: 'paymentCreated',
    });
  });
});
