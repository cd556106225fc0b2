import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { holdDeadlines, nextDeadline } from '#workflows/lifecycle/payment/deadlines.js';
import { type PaymentState, transition } from '#workflows/lifecycle/payment';
import {
  after,
  authorization,
  capture,
  day,
  facts,
  now,
  order,
  payment,
  dayOfHold,
} from './sample-payments.js';

describe('the deadlines of a hold', () => {
  it('are those of the specification: 3 days of guaranteed funds, 29 in which a capture can be tried', () => {
    expect(holdDeadlines(authorization)).toEqual({
      honourWarningAt: dayOfHold(2),
      honourCaptureAt: dayOfHold(2.5),
      honourUntil: dayOfHold(3),
      windowWarningAt: dayOfHold(26),
      expiryPolicyAt: dayOfHold(28),
      captureUntil: dayOfHold(29),
    });
  });

  it('keep their proportions and their order however long a day is at the provider', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10 * day }),
        fc.integer({ min: 0, max: 2 ** 42 }),
        (dayMs, createdAt) => {
          const hold = holdDeadlines({ createdAt, validUntil: createdAt + 29 * dayMs });
          expect(hold).toEqual({
            honourWarningAt: createdAt + 2 * dayMs,
            honourCaptureAt: Math.round(createdAt + 2.5 * dayMs),
            honourUntil: createdAt + 3 * dayMs,
            windowWarningAt: createdAt + 26 * dayMs,
            expiryPolicyAt: createdAt + 28 * dayMs,
            captureUntil: createdAt + 29 * dayMs,
          });
        },
      ),
    );
  });

  it('are whole milliseconds even if the window is no multiple of 29', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 40 * day }), (windowMs) => {
        const hold = holdDeadlines({ createdAt: now, validUntil: now + windowMs });
        const instants = Object.values(hold);
        expect(instants.every(Number.isInteger)).toBe(true);
        expect(instants).toEqual(instants.toSorted((one, other) => one - other));
      }),
    );
  });
});

/** Case 13 of the failure list. */
describe('a hold that nobody captures', () => {
  it.each([
    ['void', 'voiding'],
    ['capture', 'capturing'],
  ] as const)('causes three warnings and then the policy %s', (action, settled) => {
    expect(dueOneByOne(payment('authorized', order({ expiryPolicy: { action } })))).toEqual([
      [dayOfHold(2), 'honourPeriodNearedEnd', 'authorized'],
      [dayOfHold(3), 'honourPeriodEnded', 'authorized'],
      [dayOfHold(26), 'captureWindowNearedEnd', 'authorized'],
      [dayOfHold(28), 'settlementCameDue', settled],
    ]);
  });

  it('lapses at day 29 under the policy "expire", and the provider is then asked', () => {
    const passed = dueOneByOne(payment('authorized', order({ expiryPolicy: { action: 'expire' } })));
    expect(passed.at(-1)).toEqual([dayOfHold(29), 'authorizationLapsed', 'authorized']);
  });

  it('has expired once day 29 is past, and a later capture is refused without a call', () => {
    const lapsed = after(payment('authorized'), [{ type: 'authorizationLapsed' }, dayOfHold(29)]);
    const shown = facts({ authorization: { ...authorization, state: 'expired' } });
    const expired = after(lapsed, [{ type: 'providerObserved', facts: shown }, dayOfHold(29)]);
    expect(expired).toMatchObject({
      status: 'expired',
      released: true,
      reason: 'The capture window passed.',
    });
    expect(transition(expired, { type: 'captureRequested', commandId: 'late' }, dayOfHold(30))).toEqual({
      kind: 'refused',
      state: expired,
      refusal: { code: 'not_allowed_in_state', reason: 'A payment that is expired cannot be captured.' },
    });
  });

  it('counts as held for as long as the provider says so, up to a day after the window', () => {
    const lapsed = after(payment('authorized'), [{ type: 'authorizationLapsed' }, dayOfHold(29)]);
    const observed = { type: 'providerObserved', facts: facts() } as const;
    expect(transition(lapsed, observed, dayOfHold(30) - 1).kind).toBe('stale');
    expect(after(lapsed, [observed, dayOfHold(30)]).status).toBe('expired');
  });

  it('refuses a capture from the end of the window on, even before the end was noticed', () => {
    const held = payment('authorized');
    const request = { type: 'captureRequested', commandId: 'late' } as const;
    expect(transition(held, request, dayOfHold(29) - 1)).toMatchObject({
      kind: 'moved',
      effect: { type: 'perform' },
    });
    expect(transition(held, request, dayOfHold(29))).toMatchObject({
      kind: 'refused',
      refusal: { code: 'not_allowed_in_state' },
    });
  });

  it('keeps what was captured of it before', () => {
    const lapsed = after(payment('partially_captured'), [{ type: 'authorizationLapsed' }, dayOfHold(29)]);
    const shown = facts({
      authorization: { ...authorization, state: 'expired' },
      captures: [capture(40_00)],
    });
    expect(after(lapsed, [{ type: 'providerObserved', facts: shown }, dayOfHold(29)])).toMatchObject({
      status: 'captured',
      released: true,
    });
  });

  it('is not called expired while the provider calls it captured', () => {
    const lapsed = after(payment('authorized'), [{ type: 'authorizationLapsed' }, dayOfHold(29)]);
    const shown = facts({ authorization: { ...authorization, state: 'captured' } });
    const reviewed = after(lapsed, [{ type: 'providerObserved', facts: shown }, dayOfHold(30)]);
    expect(reviewed).toMatchObject({
      status: 'needs_review',
      reason: 'The provider calls the authorization captured, but shows no capture of it.',
    });
    const seen = { ...shown, captures: [capture(100_00, { final: true })] };
    expect(after(reviewed, [{ type: 'providerObserved', facts: seen }, dayOfHold(30)]).status).toBe(
      'captured',
    );
  });

  it('acts once by its policy: what the provider refused is not repeated at once', () => {
    const voiding = after(payment('authorized'), [{ type: 'settlementCameDue' }, dayOfHold(28)]);
    const refused = after(voiding, [{ type: 'stepDeclined', reason: 'no' }, dayOfHold(28)]);
    expect(nextDeadline({ ...refused, warning: 'capture_window_ending' })?.event.type).toBe(
      'authorizationLapsed',
    );
  });
});

describe('a capture ordered for a certain time', () => {
  const scheduled = payment('authorized', { capturePolicy: { mode: 'at', at: dayOfHold(1) } });

  it('is made then, in full', () => {
    expect(nextDeadline(scheduled)).toEqual({ at: dayOfHold(1), event: { type: 'captureCameDue' } });
    expect(after(scheduled, [{ type: 'captureCameDue' }, dayOfHold(1)]).openStep?.step).toEqual({
      type: 'captureAuthorization',
      commandId: 'pay_1:capture-policy',
      minor: 100_00,
      final: true,
    });
  });

  it('is not made again after the provider has refused it', () => {
    const refused = after(
      scheduled,
      [{ type: 'captureCameDue' }, dayOfHold(1)],
      [{ type: 'stepDeclined', reason: 'no' }, dayOfHold(1)],
    );
    expect(nextDeadline(refused)?.event.type).toBe('honourPeriodNearedEnd');
  });

  it('that is due after the window has closed is refused once, and the hold can end', () => {
    const late = payment('authorized', {
      capturePolicy: { mode: 'at', at: dayOfHold(40) },
      expiryPolicy: { action: 'expire' },
    });
    const result = transition(late, { type: 'captureCameDue' }, dayOfHold(40));
    expect(result).toMatchObject({
      kind: 'refused',
      state: { status: 'authorized', orderedCaptureTried: true },
    });
  });
});

function dueOneByOne(start: PaymentState): [number, string, string][] {
  const passed: [number, string, string][] = [];
  let state = start;
  while (state.status === 'authorized' && !state.lapsed) {
    const deadline = nextDeadline(state);
    if (!deadline) break;
    state = after(state, [deadline.event, deadline.at]);
    passed.push([deadline.at, deadline.event.type, state.status]);
  }
  return passed;
}
