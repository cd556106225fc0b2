import { describe, expect, it } from 'vitest';
import { eventOfPayment } from '../../apps/worker/src/provider/provider-facts.js';
import type { Payment } from '../../libs/payments-client/src/index.js';

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
  it('is told by its code', () => {
    expect(eventOfPayment(declined('INSTRUMENT_DECLINED'))).toEqual({
      type: 'stepDeclined',
      reason: 'The provider declined the payment (INSTRUMENT_DECLINED).',
    });
  });

  it('is not told in the provider’s prose, which may name the payer', () => {
    expect(eventOfPayment(declined('card of jane@example.com was refused'))).toEqual({
      type: 'stepDeclined',
      reason: 'The provider declined the payment (no reason given).',
    });
  });
});
