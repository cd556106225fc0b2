import { expect, it } from 'vitest';
import { viewSubject } from '#api/console/subjects/subject-view.js';
import { viewDeadlines } from '#api/payments/deadlines-view.js';
import { type PaymentState, transition } from '#workflows/lifecycle/payment';
import { authorization, capture, now, payment } from '../lifecycle/payment/sample-payments.js';

const captures = [capture(40_00, { status: 'pending' })];

/** A read shows that the hold has ended beside a capture that is pending. */
function readAsEnded(state: PaymentState, dates: object = {}): PaymentState {
  const ended = { ...authorization, ...dates, state: 'voided' };
  const facts = { paymentState: 'approved', authorization: ended, captures };
  return transition(state, { type: 'providerObserved', facts }, now).state;
}

/** A payment that is first read when its hold has ended, without dates. */
function readTooLate(holdsRest: boolean): PaymentState {
  const waiting = payment('awaiting_approval', { ...(holdsRest && { holdsRest }) });
  return readAsEnded(waiting, { createdAt: 0, validUntil: 0 });
}

/** A payment of which a part is being captured when its hold ends. */
function heldBefore(): PaymentState {
  return readAsEnded({ ...payment('authorized', { holdsRest: true }), status: 'capturing', captures });
}

function timersOf(state: PaymentState) {
  const row = { order_id: 'A-1', state, refunds: [] };
  return viewSubject({ kind: 'payment', row } as unknown as Parameters<typeof viewSubject>[0], now).toCome;
}

it.each([
  ['that is first read when its hold has ended beside a pending capture', readTooLate(true), 'capturing'],
  ['of an older order that is first read then', readTooLate(false), 'capturing'],
  ['whose hold has ended since, beside a pending capture,', heldBefore(), 'capturing'],
  ['that has ended', payment('captured'), 'captured'],
])('a payment %s has no deadline of the hold', (_, state, status) => {
  expect(state.status).toBe(status);
  expect(Object.values(viewDeadlines(state)).filter((at) => at !== null)).toEqual([]);
  expect(timersOf(state)).toEqual([]);
});

it('a payment whose funds are held has the deadlines of its hold', () => {
  const state = payment('authorized');
  expect(viewDeadlines(state).captureUntil).toBe(new Date(authorization.validUntil).toISOString());
  expect(timersOf(state).map(({ at }) => at)).toContain(authorization.validUntil);
});

it.each([
  ['has an expiry policy that has not acted', {}, true],
  ['has an expiry policy that has acted', { settlementTried: true }, false],
  ['is to expire', { order: payment('authorized', { expiryPolicy: { action: 'expire' } }).order }, false],
])('a payment whose funds are held and that %s is shown accordingly', (_, known, isDue) => {
  expect(viewDeadlines({ ...payment('authorized'), ...known }).settlesAt !== null).toBe(isDue);
});
