import { describe, expect, it } from 'vitest';
import { captureOf, capturesChangedAt } from '#worker/provider/provider-facts.js';
import type { Capture } from '#payments-client';

const shown = (state: string): Capture => ({
  id: 'CAP-1',
  state,
  amount: { value: '10.60', currency: 'USD' },
  isFinalCapture: undefined,
  paymentId: 'PAY-1',
  authorizationId: undefined,
  invoiceNumber: undefined,
  custom: undefined,
  reasonCode: undefined,
  createTime: undefined,
  updateTime: undefined,
});

const known = (status: 'pending' | 'completed') => [{ captureId: 'CAP-1', status }];

describe('a capture that the provider shows', () => {
  it.each([
    ['completed', 'completed'],
    ['refunded', 'completed'],
    ['partially_refunded', 'completed'],
    ['denied', 'denied'],
    ['pending', 'pending'],
    ['a_state_of_next_year', 'pending'],
    ['', 'pending'],
  ])('as "%s" counts as %s: money is collected only when the provider says so', (state, status) => {
    expect(captureOf(shown(state), 'USD')).toEqual({
      captureId: 'CAP-1',
      minor: 1_060,
      status,
      final: false,
    });
  });
});

describe('when a capture has last changed its hold', () => {
  const made = '2030-01-02T00:00:00.000Z';
  const changed = '2030-01-05T00:00:00.000Z';
  const changedAt = (
    state: string,
    before: ReturnType<typeof known>,
    dates: Partial<Capture> = { createTime: made, updateTime: changed },
  ) => {
    const capture = { ...shown(state), ...dates };
    const transaction = {
      amount: undefined,
      invoiceNumber: undefined,
      custom: undefined,
      authorizationId: undefined,
      saleId: undefined,
      authorizations: [],
      captures: [capture],
      sales: [],
      refunds: [],
    };
    return capturesChangedAt({ transactions: [transaction] }, before);
  };

  it.each([
    ['refunded', 'completed', made],
    ['partially_refunded', 'completed', made],
    // The refund hides when it was completed.
    ['partially_refunded', 'pending', changed],
    ['completed', 'pending', changed],
    ['denied', 'pending', changed],
  ] as const)('is, if it is %s and was %s before, %s', (state, before, at) => {
    expect(changedAt(state, known(before))).toBe(Date.parse(at));
  });

  it('may be at any time if it is neither dated nor known', () => {
    expect(changedAt('completed', [], {})).toBe(Infinity);
    expect(changedAt('completed', known('completed'), {})).toBeUndefined();
  });
});
