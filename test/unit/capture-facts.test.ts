import { describe, expect, it } from 'vitest';
import { captureOf } from '#worker/provider/provider-facts.js';
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
