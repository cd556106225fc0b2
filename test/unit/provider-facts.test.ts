import { describe, expect, it } from 'vitest';
import { UnreadableAnswerError, eventOfPayment, isProviderTrouble } from '#worker/provider/provider-facts.js';
import type { Payment } from '#payments-client';

const declined = (failureReason: string): Payment => ({
  id: 'PAY-1',
  state: 'failed',
  intent: 'authorize',
  approvalUrl: undefined,
  payerId: undefined,
  payerStatus: undefined,
  failureReason,
  transactions: [],
  createTime: undefined,
  updateTime: undefined,
});

describe('why a payment was declined', () => {
  it('is given by its code', () => {
    expect(eventOfPayment(declined('INSTRUMENT_DECLINED'), 'USD')).toEqual({
      type: 'stepDeclined',
      reason: 'The provider declined the payment (INSTRUMENT_DECLINED).',
    });
  });

  it('is not given in the provider’s prose, which may name the payer', () => {
    expect(eventOfPayment(declined('card of jane@example.com was refused'), 'USD')).toEqual({
      type: 'stepDeclined',
      reason: 'The provider declined the payment (no reason given).',
    });
  });
});

describe('an amount in another currency than was ordered', () => {
  it('counts as an unreadable answer, never as minor units of ours', () => {
    const authorization = {
      id: 'AUTH-1',
      state: 'authorized',
      amount: { value: '100', currency: 'JPY' },
      paymentId: 'PAY-1',
      reasonCode: undefined,
      validUntil: '2030-01-30T00:00:00Z',
      createTime: '2030-01-01T00:00:00Z',
      updateTime: undefined,
    } as const;
    const transaction = {
      amount: undefined,
      invoiceNumber: undefined,
      custom: undefined,
      authorizationId: 'AUTH-1',
      saleId: undefined,
      authorizations: [authorization],
      captures: [],
      sales: [],
      refunds: [],
    };
    const held: Payment = { ...declined(''), state: 'approved', transactions: [transaction] };
    expect(() => eventOfPayment(held, 'USD')).toThrow(UnreadableAnswerError);
    expect(eventOfPayment(held, 'JPY')).toMatchObject({ authorization: { minor: 100 } });
    const timeless = {
      ...transaction,
      authorizations: [{ ...authorization, validUntil: '1970-01-01T00:00:00Z' }],
    };
    // Its deadlines would be over: it is read again.
    expect(() => eventOfPayment({ ...held, transactions: [timeless] }, 'JPY')).toThrow(UnreadableAnswerError);
  });
});

describe('a read that exceeds its limit', () => {
  it('is a failure of the provider, and is repeated', async () => {
    const { reason } = AbortSignal.abort(new DOMException('too slow', 'TimeoutError'));
    expect(isProviderTrouble(reason)).toBe(true);
    expect(isProviderTrouble(new TypeError('a bug'))).toBe(false);
  });
});
