import { expect, it } from 'vitest';
import { viewSubject } from '#api/console/subjects/subject-view.js';
import { viewDeadlines } from '#api/payments/deadlines-view.js';
import { type PaymentState, transition } from '#workflows/lifecycle/payment';
import { authorization, capture, now, payment } from '../lifecycle/payment/sample-payments.js';

/** A payment that is first read when its hold has ended, without dates, beside a capture that is pending. */
function readTooLate(holdsRest: boolean): PaymentState {
  const waiting = payment('awaiting_approval', { ...(holdsRest && { holdsRest }) });
  const ended = { ...authorization, createdAt: 0, validUntil: 0, state: 'voided' };
  const captures = [capture(40_00, { status: 'pending' })];
  const facts = { paymentState: 'approved', authorization: ended, captures };
  return transition(waiting, { type: 'providerObserved', facts }, now).state;
}

function timersOf(state: PaymentState) {
  const row = { order_id: 'A-1', state, refunds: [] };
  return viewSubject({ kind: 'payment', row } as unknown as Parameters<typeof viewSubject>[0], now).toCome;
}

it.each([
  ['a payment', true],
  ['a payment of an older order', false],
])('%s whose hold has ended beside a pending capture has no deadline of the hold', (_, holdsRest) => {
  const state = readTooLate(holdsRest);
  expect(state.status).toBe('capturing');
  expect(Object.values(viewDeadlines(state)).filter((at) => at !== null)).toEqual([]);
  expect(timersOf(state)).toEqual([]);
});

it('a payment whose funds are held has the deadlines of its hold', () => {
  const state = payment('authorized');
  expect(viewDeadlines(state).captureUntil).toBe(new Date(authorization.validUntil).toISOString());
  expect(timersOf(state).map(({ at }) => at)).toContain(authorization.validUntil);
});
