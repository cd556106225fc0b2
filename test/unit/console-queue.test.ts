import { describe, expect, it } from 'vitest';
import { moneyAtRisk } from '#api/console/sentences/at-risk.js';
import { whyText } from '#api/console/sentences/why.js';
import { Workers } from '#api/console/start/workers.js';
import type { UrgentRow } from '#database/console';
import { type PaymentState, orderedPayment } from '#workflows/lifecycle/payment';

const now = Date.parse('2026-11-19T13:50:00Z');
const sentAt = new Date('2026-11-19T13:46:00Z');

const order = {
  paymentId: 'pay_1',
  amount: { minor: 10_000, currency: 'USD' },
  capturePolicy: { mode: 'manual' },
  expiryPolicy: { action: 'void' },
  approvalBy: now,
  patience: {
    outcomeHorizonMs: 1_000,
    firstLookMs: 100,
    firstRetryMs: 100,
    firstPollMs: 1_000,
    longestPollMs: 1_000,
    maxAttempts: 3,
    reviewAfterMs: 5_000,
  },
} as const;

const authorization = {
  authorizationId: 'A-1',
  minor: 10_000,
  createdAt: now,
  validUntil: now + 86_400_000,
};

function row(state: Partial<PaymentState>, change: Partial<UrgentRow> = {}): UrgentRow {
  const { openStep: _done, ...ordered } = orderedPayment(order, now);
  const whole = { ...ordered, authorization, ...state };
  return {
    environment: 'sandbox',
    application: 'shop',
    table: 'payments',
    id: 'pay_1',
    status: whole.status,
    label: 'order-1',
    state: whole,
    updated_at: sentAt,
    rank: 1,
    at: now,
    event_type: null,
    event_state: null,
    event_at: null,
    sent_at: sentAt,
    answer_status: null,
    ...change,
  } as UrgentRow;
}

const openStep = {
  number: 3,
  step: { type: 'captureAuthorization', commandId: 'cmd_1', minor: 7_000, final: false },
  phase: 'doubt',
  attempts: 0,
  looks: 10,
  since: sentAt.getTime() + 8_000,
  horizonAt: now,
  nextAt: now,
} as const;
const doubtful = { status: 'capturing', openStep } as const;

describe('why a capture is in the queue', () => {
  it('names what was sent, what was answered, the lookups, and what a webhook says', () => {
    const told = {
      event_type: 'PAYMENT.CAPTURE.COMPLETED',
      event_state: 'completed',
      event_at: new Date(now),
    };
    expect(whyText(row(doubtful, told), now)).toBe(
      'Capture of 70.00 USD sent 13:46; reply lost; 10 lookups found no outcome; webhook says completed.',
    );
  });

  it('keeps silent about a webhook event from before the capture was sent', () => {
    const earlier = { event_type: 'PAYMENT.AUTHORIZATION.CREATED', event_state: 'authorized' };
    const text = whyText(row(doubtful, { ...earlier, event_at: new Date(sentAt.getTime() - 1) }), now);
    expect(text).toBe('Capture of 70.00 USD sent 13:46; reply lost; 10 lookups found no outcome.');
  });

  it('names an answer that says nothing of the outcome', () => {
    expect(whyText(row(doubtful, { answer_status: 503 }), now)).toContain('; answered 503,');
  });
});

describe('the money at risk', () => {
  const captured = { captureId: 'C-1', minor: 3_000, status: 'completed', final: false } as const;

  it('is the amount of the operation, not the order’s', () => {
    expect(moneyAtRisk(row(doubtful))).toBe('70.00 USD');
  });

  it('of a hold that ends is what can still be captured', () => {
    const state = { status: 'partially_captured', captures: [captured] } as const;
    expect(moneyAtRisk(row(state))).toBe('70.00 USD');
  });

  it('of a hold of another amount is what the provider holds', () => {
    const other = { ...authorization, minor: 12_000 };
    expect(moneyAtRisk(row({ status: 'needs_review', authorization: other }))).toBe('120.00 USD');
  });
});

describe('the workers on the first screen', () => {
  it('are listed, and one that has not asked for a while is silent', () => {
    const text = shown([
      { name: '7@one', seenAt: new Date(now - 20_000) },
      { name: '8@two', seenAt: new Date(now - 200_000) },
    ]);
    expect(text).toMatch(/7@one.*alive.*8@two.*silent/s);
  });

  it('are missed', () => {
    expect(shown([])).toContain('No worker asks Temporal for work');
  });

  it('are unknown while Temporal does not answer', () => {
    expect(shown(undefined)).toContain('Temporal does not answer');
  });
});

function shown(workers: Parameters<typeof Workers>[0]['workers']): string {
  const page: { toString(): string } = Workers({ workers, now });
  return page.toString();
}
