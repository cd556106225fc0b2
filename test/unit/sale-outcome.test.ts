import { describe, expect, it } from 'vitest';
import { outcomeOfPayment } from '#worker/provider/payment-outcome.js';
import { UnreadableAnswerError, factsOf } from '#worker/provider/provider-facts.js';
import type { Payment } from '#payments-client/index.js';
import { payment } from '#payments-client/schemas/payment.js';

const order = { amount: { minor: 10_00, currency: 'USD' }, intent: 'sale' } as const;
const total = { total: '10.0', currency: 'USD' };

/** As the provider writes it. */
function answer(wire: Record<string, unknown>, sale?: Record<string, unknown>): Payment {
  const related = sale ? [{ sale: { id: 'SALE-1', amount: total, ...sale } }] : [];
  return payment.parse({
    id: 'PAY-1',
    intent: 'sale',
    transactions: [{ related_resources: related }],
    ...wire,
  });
}
const approvalLink = { rel: 'approval_url', href: 'https://pay.example/?token=EC-1', method: 'REDIRECT' };

describe('the answer to the creation or execution of a sale', () => {
  it.each([
    ['completed', 'completed'],
    ['pending', 'pending'],
    ['denied', 'denied'],
    ['partially_refunded', 'completed'],
    ['refunded', 'completed'],
    ['a_state_of_next_year', 'pending'],
  ])('that shows a %s sale tells that it is %s', (state, status) => {
    expect(outcomeOfPayment(answer({ state: 'approved' }, { state }), order)).toEqual({
      type: 'saleAnswered',
      providerPaymentId: 'PAY-1',
      sale: { saleId: 'SALE-1', minor: 10_00, status },
    });
  });

  it.each(['in_progress', 'failed', 'created', 'a_state_of_next_year'])(
    'goes by the sale also where the payment is called %s',
    (state) => {
      expect(outcomeOfPayment(answer({ state }, { state: 'denied' }), order)).toMatchObject({
        type: 'saleAnswered',
        sale: { status: 'denied' },
      });
    },
  );

  it('without a sale asks for the payer’s approval where it names a page for that', () => {
    const asked = answer({ state: 'created', links: [approvalLink] });
    expect(outcomeOfPayment(asked, order)).toMatchObject({ type: 'paymentCreated', approvalToken: 'EC-1' });
  });

  it('that has failed without a sale is declined by its code', () => {
    const failed = answer({ state: 'failed', failure_reason: 'PAYER_CANNOT_PAY' });
    expect(outcomeOfPayment(failed, order)).toEqual({
      type: 'stepDeclined',
      reason: 'The provider declined the payment (PAYER_CANNOT_PAY).',
    });
  });

  it('that says none of this is to be looked up, never called completed', () => {
    expect(() => outcomeOfPayment(answer({ state: 'approved' }), order)).toThrow(UnreadableAnswerError);
    const yen = answer(
      { state: 'approved' },
      { state: 'completed', amount: { total: '1000', currency: 'JPY' } },
    );
    expect(() => outcomeOfPayment(yen, order)).toThrow(UnreadableAnswerError);
    expect(() => factsOf(yen, 'USD')).toThrow(UnreadableAnswerError);
  });

  it('is read as a hold where a hold was ordered', () => {
    const asked = answer({ state: 'created', links: [approvalLink] }, { state: 'completed' });
    expect(outcomeOfPayment(asked, { amount: order.amount })).toMatchObject({ type: 'paymentCreated' });
  });
});
