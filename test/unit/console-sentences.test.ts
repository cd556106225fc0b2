import { describe, expect, it } from 'vitest';
import { paymentSentence } from '#api/console/sentences/payment.js';
import { doubtText } from '#api/console/sentences/steps.js';
import { dayText, durationText, whenText } from '#api/console/sentences/words.js';
import { type PaymentState, orderedPayment } from '#workflows/lifecycle/payment';

const day = 86_400_000;
const now = Date.parse('2026-11-19T13:46:00Z');

const patience = {
  outcomeHorizonMs: 1_000,
  firstLookMs: 100,
  firstRetryMs: 100,
  firstPollMs: 1_000,
  longestPollMs: 1_000,
  maxAttempts: 3,
  reviewAfterMs: 5_000,
};

function payment(change: Partial<PaymentState>): PaymentState {
  const order = {
    paymentId: 'pay_1',
    amount: { minor: 10_000, currency: 'USD' },
    capturePolicy: { mode: 'manual' },
    expiryPolicy: { action: 'void' },
    approvalBy: now + 3_600_000,
    patience,
  } as const;
  const { openStep: _done, ...ordered } = orderedPayment(order, now);
  return { ...ordered, ...change };
}

const authorization = {
  authorizationId: 'A-1',
  minor: 10_000,
  createdAt: now - day / 2,
  validUntil: now - day / 2 + 29 * day,
};
const capture = { captureId: 'C-1', minor: 3_000, status: 'completed', final: false } as const;

describe('a payment in a sentence', () => {
  it('says what was captured, and until when the rest can be', () => {
    const state = payment({ status: 'partially_captured', authorization, captures: [capture] });
    expect(paymentSentence(state, now)).toBe(
      '30.00 USD of 100.00 USD captured; the rest can be captured until 18 Dec, guaranteed for 2 more days.',
    );
  });

  it('says that the funds are not guaranteed any more', () => {
    const state = payment({ status: 'authorized', authorization });
    expect(paymentSentence(state, now + 4 * day)).toContain('no longer guaranteed');
  });

  it('waits for the payer', () => {
    expect(paymentSentence(payment({ status: 'awaiting_approval' }), now)).toBe(
      '100.00 USD waits for the payer’s approval until 14:46.',
    );
  });

  it('reports a lost reply', () => {
    const step = { type: 'captureAuthorization', commandId: 'c', minor: 7_000, final: false } as const;
    const openStep = {
      number: 2,
      step,
      phase: 'doubt',
      attempts: 0,
      looks: 10,
      since: now,
      horizonAt: now,
      nextAt: now,
    } as const;
    expect(paymentSentence(payment({ status: 'capturing', authorization, openStep }), now)).toContain(
      'Capture of 70.00 USD: outcome unknown since 13:46; 10 lookups found no outcome.',
    );
    expect(doubtText({ ...openStep, phase: 'running' }, now)).toBe('under way since 13:46');
  });
});

describe('times in sentences', () => {
  it('name the day only where it is another one, and the year where that is', () => {
    expect(whenText(now, now)).toBe('13:46');
    expect(whenText(now - day, now)).toBe('18 Nov, 13:46');
    expect(dayText(now + 60 * day, now)).toBe('18 Jan 2027');
  });

  it('name the largest unit of a length', () => {
    expect([90_061_000, 7_200_000, 60_000, 1_999, 5].map(durationText)).toEqual([
      '1 day',
      '2 hours',
      '1 minute',
      '1 second',
      'less than a second',
    ]);
  });
});
