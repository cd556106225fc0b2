import { describe, expect, it } from 'vitest';
import {
  type Capture,
  type PaymentEvent,
  type PaymentOrder,
  type PaymentState,
  allowedActions,
  amountsOf,
  rulesOfNewOrders,
  transition,
} from '#workflows/lifecycle/payment';
import { nextDeadline } from '#workflows/lifecycle/payment/deadlines.js';
import { after, authorization, capture, day, facts, now, payment } from './sample-payments.js';

const dayOfHold = (n: number) => authorization.createdAt + n * day;
const part = capture(60_00, { status: 'pending' });
const rest = capture(40_00, { captureId: 'CAP-2', commandId: 'cmd_2' });

/** 60.00 of 100.00 are pending at the provider. */
function waiting(asked: Partial<PaymentOrder> = {}): PaymentState {
  const held = payment('authorized', { holdsRest: true, ...asked });
  return after(held, [{ type: 'captureRequested', commandId: 'cmd_1', minor: 60_00 }], [answered(part)]);
}

function answered(made: Capture): PaymentEvent {
  return { type: 'captureAnswered', capture: made };
}

function observed(state: string, ...captures: Capture[]): PaymentEvent {
  const shown = { ...authorization, state, changedAt: now };
  return { type: 'providerObserved', facts: facts({ authorization: shown, captures }) };
}

const request = (minor?: number): PaymentEvent => ({
  type: 'captureRequested',
  commandId: 'cmd_2',
  ...(minor !== undefined && { minor }),
});
const release: PaymentEvent = { type: 'releaseRequested', commandId: 'cmd_3' };

/** What the clock does until a step begins or the window is over; polls are left out. */
function clockOf(first: PaymentState): string[] {
  const due: string[] = [];
  for (let state = first; !state.openStep && !state.lapsed;) {
    const deadline = nextDeadline({ ...state, lastPollAt: dayOfHold(40) });
    if (!deadline || deadline.at > dayOfHold(29)) throw new Error('nothing is due before the window ends');
    due.push(`${deadline.event.type} ${(deadline.at - authorization.createdAt) / day}`);
    state = after(state, [deadline.event, deadline.at]);
  }
  return due;
}

describe('60.00 of 100.00 are pending: the other 40.00 are held', () => {
  it('and can be captured or released, not more', () => {
    expect(amountsOf(waiting())).toMatchObject({ captured: 0, pending: 60_00, capturable: 40_00 });
    expect(allowedActions(waiting(), now)).toEqual(['capture', 'void', 'release']);
    expect(transition(waiting(), request(40_01), now)).toMatchObject({
      kind: 'refused',
      refusal: { reason: 'At most 40.00 USD can be captured.' },
    });
  });

  it.each([
    ['captured', request()],
    ['voided', { type: 'voidRequested', commandId: 'cmd_3' }],
    ['released', release],
  ] as const)('and cannot be captured while they are being %s', (_what, event) => {
    expect(amountsOf(after(waiting(), [event]))).toMatchObject({ pending: 60_00, capturable: 0 });
  });

  it('and cannot be captured while the payment is under review', () => {
    expect(amountsOf({ ...waiting(), status: 'needs_review' }).capturable).toBe(0);
  });

  it('and the payment warns of their end and gives them back on day 28', () => {
    expect(clockOf(waiting())).toEqual([
      'honourPeriodNearedEnd 2',
      'honourPeriodEnded 3',
      'captureWindowNearedEnd 26',
      'settlementCameDue 28',
    ]);
  });

  it.each([
    ['capture policy', { capturePolicy: { mode: 'at', at: dayOfHold(1) } }],
    ['honour policy', { honourPolicy: { action: 'capture', reauthorize: 'none' } }],
    ['expiry policy', { expiryPolicy: { action: 'capture' } }],
  ] as const)('and the %s captures them, and leaves the hold open for the part', (_policy, asked) => {
    let state = waiting(asked);
    for (let deadline = nextDeadline(state); deadline && !state.openStep; deadline = nextDeadline(state)) {
      expect(deadline.at).toBeLessThan(dayOfHold(29));
      state = after(state, [deadline.event, deadline.at]);
    }
    expect(state.openStep?.step).toMatchObject({ minor: 40_00, final: false });
  });

  it('and their hold lapses when no policy acts', () => {
    expect(clockOf(waiting({ expiryPolicy: { action: 'expire' } })).at(-1)).toBe('authorizationLapsed 29');
  });

  it('and they are not reauthorized before the part is final', () => {
    const once = { honourPolicy: { action: 'none', reauthorize: 'once' } } as const;
    expect(clockOf(waiting(once))).toEqual(['captureWindowNearedEnd 26', 'settlementCameDue 28']);
    expect(allowedActions(waiting(once), dayOfHold(4))).not.toContain('reauthorize');
    const partly = after(waiting(once), [observed('partially_captured', { ...part, status: 'completed' })]);
    expect(nextDeadline(partly)).toEqual({ at: dayOfHold(3), event: { type: 'reauthorizationCameDue' } });
  });

  it('and the payment is polled beside all that', () => {
    expect(nextDeadline(waiting())?.event.type).toBe('pollCameDue');
  });
});

describe('the rest that is captured beside a pending part', () => {
  const both = after(waiting(), [request()], [answered(rest)]);

  it('ends the payment only with the part', () => {
    expect(both.status).toBe('capturing');
    expect(amountsOf(both)).toMatchObject({ captured: 40_00, pending: 60_00, capturable: 0 });
    expect(allowedActions(both, now)).toEqual([]);
    const all = after(both, [observed('captured', { ...part, status: 'completed' }, rest)]);
    expect(all).toMatchObject({ status: 'captured', released: false });
  });

  it('leaves the part to be captured again when that is denied', () => {
    const denied = after(both, [observed('partially_captured', { ...part, status: 'denied' }, rest)]);
    expect(denied.status).toBe('partially_captured');
    expect(amountsOf(denied)).toMatchObject({ captured: 40_00, capturable: 60_00 });
  });

  it('leaves nothing when it was asked for as the final part', () => {
    const final = { ...rest, minor: 10_00, final: true };
    const closed = after(waiting(), [request(10_00)], [answered(final)]);
    expect(closed.status).toBe('capturing');
    expect(amountsOf(closed).capturable).toBe(0);
    const denied = after(closed, [observed('captured', { ...part, status: 'denied' }, final)]);
    expect(denied).toMatchObject({ status: 'captured', released: true });
  });

  it('is still held when the provider refuses it, and the next try drops the reason', () => {
    const refused = after(waiting(), [request()], [{ type: 'stepDeclined', reason: 'no' }]);
    expect(refused).toMatchObject({ status: 'capturing', reason: 'no' });
    expect(amountsOf(refused).capturable).toBe(40_00);
    const again = after({ ...refused, polls: 5 }, [request(), now + day]);
    expect(again).toMatchObject({ status: 'capturing', polls: 0, lastPollAt: now + day });
    expect(again.reason).toBeUndefined();
  });
});

describe('the rest that is released beside a pending part', () => {
  const open = after(waiting(), [release], [{ type: 'voidConfirmed', shown: [part] }]);

  it('is gone, while the part decides how the payment ends', () => {
    expect(open.status).toBe('capturing');
    expect(amountsOf(open)).toMatchObject({ pending: 60_00, capturable: 0, released: 40_00 });
    expect(allowedActions(open, now)).toEqual([]);
    expect(nextDeadline({ ...open, lastPollAt: dayOfHold(40) })?.event.type).toBe('pollCameDue');
    expect(transition(open, observed('voided', part), now).kind).toBe('stale');
  });

  it.each([
    ['completed', 'captured', 40_00],
    ['denied', 'voided', 100_00],
  ] as const)('stays released when the part is %s', (status, end, releasedMinor) => {
    // A read may lag behind the void.
    for (const hold of ['voided', 'partially_captured']) {
      const ended = after(open, [observed(hold, { ...part, status })]);
      expect(ended.status).toBe(end);
      expect(amountsOf(ended)).toMatchObject({ released: releasedMinor, capturable: 0 });
    }
  });

  it('is still held when the provider refuses the release', () => {
    const refused = after(waiting(), [release], [{ type: 'stepDeclined', reason: 'no' }]);
    expect(refused.status).toBe('capturing');
    expect(amountsOf(refused).capturable).toBe(40_00);
  });
});

it.each(['voided', 'expired', 'denied'] as const)(
  'a hold that is found %s beside its pending capture has no rest any more, and does not come back',
  (end) => {
    const over = after(waiting(), [observed(end, part)]);
    expect(over.status).toBe('capturing');
    expect(amountsOf(over)).toMatchObject({ capturable: 0, released: 40_00 });
    expect(transition(over, observed('partially_captured', part), now).kind).toBe('stale');
    const ended = after(over, [observed('partially_captured', { ...part, status: 'denied' })]);
    expect(ended.status).toBe(end === 'denied' ? 'declined' : end);
  },
);

it('a hold that follows an ended one leaves its own rest', () => {
  const over = after(waiting(), [observed('voided', part)]);
  const next = { ...authorization, authorizationId: 'AUTH-2', minor: 40_00, createdAt: now, changedAt: now };
  const shown = facts({ authorization: { ...next, state: 'authorized' }, captures: [part] });
  const held = after(over, [{ type: 'providerObserved', facts: shown }]);
  expect(amountsOf(held)).toMatchObject({ authorized: 100_00, pending: 60_00, capturable: 40_00 });
});

it('an older order has its rest back once the capture is final, as its run expects', () => {
  const held = payment('authorized');
  const older = after(
    held,
    [{ type: 'captureRequested', commandId: 'cmd_1', minor: 60_00 }],
    [answered(part)],
  );
  expect(amountsOf(older).capturable).toBe(0);
  expect(allowedActions(older, now)).toEqual([]);
  expect(nextDeadline({ ...older, lastPollAt: dayOfHold(40) })?.event.type).toBe('pollCameDue');
  expect(transition(older, observed('expired', part), now).kind).toBe('stale');
});

it('the void of an older order ends it beside a pending capture that was known, and not beside one that was not', () => {
  const voiding = { ...payment('voiding'), captures: [part] };
  expect(after(voiding, [{ type: 'voidConfirmed' }])).toMatchObject({ status: 'voided', captures: [part] });
  const unknown = { captureId: 'CAP-9', minor: 10_00, status: 'pending', final: false } as const;
  expect(after(voiding, [{ type: 'voidConfirmed', shown: [unknown] }]).status).toBe('capturing');
});

it('a new order has all rules of today; only a hold can leave a rest, or be told of during a step', () => {
  expect(rulesOfNewOrders({ intent: 'sale' })).toEqual({ endsUnsent: true, rules: 2 });
  const ofHold = { endsUnsent: true, rules: 2, holdsRest: true, remembersNews: true };
  expect(rulesOfNewOrders({})).toEqual(ofHold);
});
