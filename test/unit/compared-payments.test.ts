import { expect, it } from 'vitest';
import { comparedPayments } from '#worker/reconciliation/payment-comparison.js';
import { transition } from '#workflows/lifecycle/payment';
import { now, patience, payment } from '../lifecycle/payment/sample-payments.js';

it('a difference is read once more when no read lags: a known one is not told again, and no poll reads a hold', () => {
  const hint = { type: 'providerNotified', eventType: 'RECONCILIATION', ...comparedPayments.hint } as const;
  expect(transition(payment('authorized'), hint, now)).toMatchObject({
    effect: { type: 'observe' },
    state: { confirmAt: now + patience.outcomeHorizonMs },
  });
});
