import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  capture,
  expire,
  openMinor,
  finishCapture,
  voidHolding,
  type CaptureTerms,
  type Change,
  type Holding,
} from '#sandbox/authorizations/held-money.js';

const VALID_UNTIL = new Date('2030-01-30T00:00:00Z');
const BEFORE = new Date('2030-01-02T00:00:00Z');

const held = (amount_minor: number): Holding => ({
  state: 'authorized',
  amount_minor,
  captured_minor: 0,
  pending_minor: 0,
  released_minor: 0,
  closing: false,
  valid_until: VALID_UNTIL,
});

const inState = (state: Holding['state']): Holding => ({ ...held(100), state });

const terms = (minor: number, more: Partial<CaptureTerms> = {}): CaptureTerms => ({
  minor,
  isFinal: false,
  isPending: false,
  ...more,
});

function accepted(change: ReturnType<typeof capture>): Change {
  if ('refusal' in change) throw new Error(change.refusal);
  return change;
}

describe('the money side of an authorization', () => {
  it('is captured in parts until nothing is open', () => {
    const first = accepted(capture(held(100), terms(40), BEFORE));
    expect(first).toMatchObject({
      holding: { state: 'partially_captured', captured_minor: 40 },
      releasedMinor: 0,
    });
    const second = accepted(capture(first.holding, terms(60), BEFORE));
    expect(second).toMatchObject({ holding: { state: 'captured', captured_minor: 100 }, releasedMinor: 0 });
  });

  it('releases the rest with the final capture', () => {
    const change = accepted(capture(held(100), terms(70, { isFinal: true }), BEFORE));
    expect(change).toMatchObject({ holding: { state: 'captured', captured_minor: 70 }, releasedMinor: 30 });
  });

  it('keeps what was captured when the rest is voided', () => {
    const { holding } = accepted(capture(held(100), terms(70), BEFORE));
    expect(voidHolding(holding, BEFORE)).toMatchObject({
      holding: { state: 'voided', captured_minor: 70 },
      releasedMinor: 30,
    });
  });

  it('can be captured again after a final capture was denied', () => {
    const pending = accepted(capture(held(100), terms(70, { isFinal: true, isPending: true }), BEFORE));
    expect(pending.holding).toMatchObject({ state: 'authorized', captured_minor: 0, pending_minor: 70 });
    expect(capture(pending.holding, terms(10), BEFORE)).toEqual({
      refusal: 'AUTHORIZATION_ALREADY_COMPLETED',
    });
    const denied = finishCapture(pending.holding, terms(70, { isFinal: true }), 'denied');
    expect(openMinor(denied.holding)).toBe(100);
    expect(accepted(capture(denied.holding, terms(100), BEFORE)).holding.state).toBe('captured');
  });

  it('returns denied money once it has expired', () => {
    const pending = accepted(capture(held(100), terms(70, { isPending: true }), BEFORE));
    const expired = expire(pending.holding, VALID_UNTIL);
    expect(expired).toMatchObject({ holding: { state: 'expired' }, releasedMinor: 30 });
    const denied = finishCapture(expired!.holding, terms(70), 'denied');
    expect(denied).toMatchObject({ holding: { state: 'expired', pending_minor: 0 }, releasedMinor: 70 });
  });

  it('refuses to be captured from the instant of its expiry, even before the sweep', () => {
    expect(capture(held(100), terms(1), VALID_UNTIL)).toEqual({ refusal: 'AUTHORIZATION_EXPIRED' });
    expect(voidHolding(held(100), VALID_UNTIL)).toEqual({ refusal: 'AUTHORIZATION_EXPIRED' });
  });

  const pending = (minor: number, isFinal = false): Holding =>
    accepted(capture(held(100), terms(minor, { isFinal, isPending: true }), BEFORE)).holding;

  it.each([
    ['a capture before it is held', capture(inState('pending'), terms(1), BEFORE), 'PAYMENT_STATE_INVALID'],
    ['a capture after its denial', capture(inState('denied'), terms(1), BEFORE), 'PAYMENT_STATE_INVALID'],
    [
      'a capture of more than a pending one has left',
      capture(pending(40), terms(61), BEFORE),
      'CAPTURE_AMOUNT_LIMIT_EXCEEDED',
    ],
    [
      'a capture while all is pending',
      capture(pending(100), terms(1), BEFORE),
      'AUTHORIZATION_ALREADY_COMPLETED',
    ],
    ['a void before it is held', voidHolding(inState('pending'), BEFORE), 'AUTHORIZATION_CANNOT_BE_VOIDED'],
    ['a void after its denial', voidHolding(inState('denied'), BEFORE), 'AUTHORIZATION_CANNOT_BE_VOIDED'],
    [
      'a void while a final capture is pending',
      voidHolding(pending(40, true), BEFORE),
      'AUTHORIZATION_CANNOT_BE_VOIDED',
    ],
    ['a void while all is pending', voidHolding(pending(100), BEFORE), 'AUTHORIZATION_CANNOT_BE_VOIDED'],
  ])('refuses %s', (_what, answer, refusal) => {
    expect(answer).toEqual({ refusal });
  });

  it('does not expire before it is held', () => {
    expect(expire(inState('pending'), VALID_UNTIL)).toBeNull();
  });

  it('stays open beside a pending capture, and ends with it', () => {
    const { holding } = accepted(capture(pending(40), terms(60), BEFORE));
    expect(holding.state).toBe('partially_captured');
    expect(finishCapture(holding, terms(40), 'completed')).toMatchObject({
      holding: { state: 'captured', captured_minor: 100 },
      releasedMinor: 0,
    });
    const denied = finishCapture(holding, terms(40), 'denied').holding;
    expect(accepted(capture(denied, terms(40), BEFORE)).holding.captured_minor).toBe(100);
  });

  it('waits for its final capture when another pending one is denied, and is closed by it', () => {
    const both = accepted(capture(pending(20), terms(50, { isFinal: true, isPending: true }), BEFORE));
    const { holding } = finishCapture(both.holding, terms(20), 'denied');
    expect(capture(holding, terms(10), BEFORE)).toEqual({ refusal: 'AUTHORIZATION_ALREADY_COMPLETED' });
    expect(finishCapture(holding, terms(50, { isFinal: true }), 'completed')).toMatchObject({
      holding: { state: 'captured', captured_minor: 50, closing: false },
      releasedMinor: 50,
    });
  });

  it('never loses or creates money, whatever happens in whatever order', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1000 }), fc.array(step, { maxLength: 30 }), (amount, steps) => {
        let holding = held(amount);
        const pending: CaptureTerms[] = [];
        for (const next of steps) {
          const before = holding;
          const change = apply(holding, next, pending);
          if (change === null || 'refusal' in change) continue;
          holding = change.holding;
          expect(openMinor(holding)).toBeGreaterThanOrEqual(0);
          expect(
            Math.min(holding.captured_minor, holding.pending_minor, holding.released_minor),
          ).toBeGreaterThanOrEqual(0);
          expect(holding.released_minor - before.released_minor).toBe(change.releasedMinor);
          if (['captured', 'voided', 'expired'].includes(before.state))
            expect(holding.state).toBe(before.state);
          if (['captured', 'voided', 'expired'].includes(holding.state)) expect(openMinor(holding)).toBe(0);
        }
        expect(holding.pending_minor).toBe(pending.reduce((sum, { minor }) => sum + minor, 0));
      }),
    );
  });
});

const step = fc.oneof(
  fc.record({
    does: fc.constant('capture' as const),
    terms: fc.record({
      minor: fc.integer({ min: 1, max: 600 }),
      isFinal: fc.boolean(),
      isPending: fc.boolean(),
    }),
  }),
  fc.record({
    does: fc.constant('finish' as const),
    outcome: fc.constantFrom('completed' as const, 'denied' as const),
  }),
  fc.record({ does: fc.constantFrom('void' as const, 'expire' as const) }),
);

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

function apply(holding: Holding, next: Step, pending: CaptureTerms[]): Change | { refusal: string } | null {
  if (next.does === 'capture') {
    const change = capture(holding, next.terms, BEFORE);
    if (!('refusal' in change) && next.terms.isPending) pending.push(next.terms);
    return change;
  }
  if (next.does === 'finish') {
    const oldest = pending.shift();
    return oldest === undefined ? null : finishCapture(holding, oldest, next.outcome);
  }
  return next.does === 'void' ? voidHolding(holding, BEFORE) : expire(holding, VALID_UNTIL);
}
