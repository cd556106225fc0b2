import { describe, expect, it } from 'vitest';
import {
  amountsOf,
  holdDeadlines,
  type PaymentEvent,
  reauthorizationIn,
  transition,
  allowedActions,
} from '#workflows/lifecycle/payment';
import { after, authorization, capture, day, facts, payment, dayOfHold } from './sample-payments.js';
import { asked, held, reauthorizedOn } from './sample-reauthorizations.js';

/** Case 14 of the failure list. */
describe('a hold that is to be reauthorized', () => {
  it('is not reauthorized before the honour period has ended, nor once the window has', () => {
    expect(transition(held(), asked, dayOfHold(3) - 1)).toMatchObject({
      kind: 'refused',
      refusal: {
        code: 'reauthorization_too_soon',
        reason: `The funds are guaranteed, and cannot be reauthorized, until ${new Date(dayOfHold(3)).toISOString()}.`,
      },
    });
    expect(allowedActions(held(), dayOfHold(3) - 1)).toEqual(['capture', 'void']);
    expect(allowedActions(held(), dayOfHold(3))).toEqual(['capture', 'void', 'reauthorize']);
    expect(transition(held(), asked, dayOfHold(29))).toMatchObject({
      kind: 'refused',
      refusal: { code: 'not_allowed_in_state' },
    });
  });

  it('has a new honour period and the same window, whoever counts the days', () => {
    const { authorization: reauthorized } = reauthorizedOn(held(), 4);
    expect(holdDeadlines(reauthorized!)).toEqual({
      honourWarningAt: dayOfHold(6),
      honourCaptureAt: dayOfHold(6.5),
      honourUntil: dayOfHold(7),
      windowWarningAt: dayOfHold(26),
      expiryPolicyAt: dayOfHold(28),
      captureUntil: dayOfHold(29),
    });
  });

  it('is not reauthorized twice in one honour period', () => {
    const reauthorized = reauthorizedOn(held(), 4);
    expect(transition(reauthorized, asked, dayOfHold(7) - 1)).toMatchObject({
      refusal: { code: 'reauthorization_too_soon' },
    });
    expect(transition(reauthorized, asked, dayOfHold(7)).kind).toBe('moved');
  });

  it.each([
    ['all that can be captured when nothing is said', undefined, 60_00, 'moved'],
    ['as much as 115 % of the first hold in all', 75_00, 75_00, 'moved'],
    ['no more than that', 75_01, undefined, 'refused'],
  ])('asks for %s', (_what, minor, expected, kind) => {
    const result = transition(
      held({}, 'partially_captured'),
      { ...asked, ...(minor !== undefined && { minor }) },
      dayOfHold(4),
    );
    expect(result.kind).toBe(kind);
    if (expected !== undefined) expect(result.state.openStep?.step).toMatchObject({ minor: expected });
    else expect(result).toMatchObject({ refusal: { code: 'amount_exceeds_reauthorizable' } });
  });

  it('is raised by 75 USD at most, and in another currency by 15 %', () => {
    expect(raised('USD', 1_075_00)).toBe('moved');
    expect(raised('USD', 1_075_01)).toBe('refused');
    expect(raised('EUR', 1_150_00)).toBe('moved');
    expect(raised('EUR', 1_150_01)).toBe('refused');
  });

  it('keeps what was captured under its earlier ids, and can be captured as requested', () => {
    const raised = reauthorizedOn(held({}, 'partially_captured'), 4, { ...asked, minor: 70_00 });
    expect(raised.status).toBe('partially_captured');
    expect(amountsOf(raised)).toMatchObject({ authorized: 110_00, captured: 40_00, capturable: 70_00 });
    const all = after(raised, [{ type: 'captureRequested', commandId: 'cmd_3' }, dayOfHold(5)]);
    expect(all.openStep?.step).toMatchObject({ minor: 70_00, final: true });
    const rest = capture(70_00, { captureId: 'CAP-2', authorizationId: 'AUTH-4', final: true });
    expect(after(all, [{ type: 'captureAnswered', capture: rest }, dayOfHold(5)])).toMatchObject({
      status: 'captured',
      released: false,
    });
  });
});

describe('a read of a hold that was reauthorized', () => {
  const reauthorized = reauthorizedOn(held(), 4);
  const successor = { ...reauthorized.authorization!, state: 'authorized' };
  const shows = (shown: Partial<typeof successor>): PaymentEvent => ({
    type: 'providerObserved',
    facts: facts({ authorization: { ...successor, ...shown } }),
  });

  it('tells nothing when it lags and shows the earlier hold', () => {
    const lagging = { ...authorization, state: 'voided' };
    const read: PaymentEvent = { type: 'providerObserved', facts: facts({ authorization: lagging }) };
    expect(transition(reauthorized, read, dayOfHold(4))).toEqual({ kind: 'stale', state: reauthorized });
  });

  it('is followed when somebody else has reauthorized it, even to its end', () => {
    const elsewhere = { authorizationId: 'AUTH-X', createdAt: dayOfHold(8) };
    const followed = after(reauthorized, [shows(elsewhere), dayOfHold(9)]);
    expect(followed.authorization).toMatchObject({ authorizationId: 'AUTH-X' });
    expect(holdDeadlines(followed.authorization!).honourUntil).toBe(dayOfHold(11));
    expect(after(reauthorized, [shows({ ...elsewhere, state: 'voided' }), dayOfHold(9)]).status).toBe(
      'voided',
    );
  });
});

describe('a reauthorization whose answer was lost', () => {
  const running = after(held(), [asked, dayOfHold(4)]);
  const seen = dayOfHold(0);
  const shown = { ...authorization, state: 'authorized', changedAt: seen };
  const look = (change: Partial<typeof shown>, captures = [] as ReturnType<typeof capture>[]) =>
    reauthorizationIn(running, facts({ authorization: { ...shown, ...change }, captures }), seen);

  it.each([
    ['another id', { authorizationId: 'AUTH-2', createdAt: dayOfHold(4) }],
    ['a longer window', { validUntil: authorization.validUntil + day }],
    ['another amount', { minor: 90_00 }],
    ['a change since it was looked at', { changedAt: dayOfHold(4) }],
  ])('is found by %s', (_what, change) => {
    expect(look(change)).toMatchObject({ type: 'authorizationRenewed' });
  });

  it('is read at once if the lookup also shows a capture that the run does not know, or its end', () => {
    const found = look({ changedAt: dayOfHold(4) }, [capture(10_00, { captureId: 'CAP-9' })]);
    expect(transition(running, found!, dayOfHold(4))).toMatchObject({ effect: { type: 'observe' } });
    const over = look({ authorizationId: 'AUTH-2', createdAt: dayOfHold(4), state: 'voided' });
    expect(transition(running, over!, dayOfHold(4))).toMatchObject({ effect: { type: 'observe' } });
    const alone = look({ changedAt: dayOfHold(4) });
    expect(transition(running, alone!, dayOfHold(4))).not.toHaveProperty('effect');
  });

  it('is not found in a hold that is unchanged, nor in one that has ended', () => {
    expect(look({})).toBeUndefined();
    expect(look({ state: 'voided', changedAt: dayOfHold(4) })).toBeUndefined();
  });
});

describe('case 15: the rest of a hold', () => {
  it('is released after a capture, and only then', () => {
    const release: PaymentEvent = { type: 'releaseRequested', commandId: 'cmd_3' };
    expect(transition(held(), release, dayOfHold(1)).kind).toBe('refused');
    const voiding = after(held({}, 'partially_captured'), [release, dayOfHold(1)]);
    expect(voiding.openStep?.step).toMatchObject({ type: 'voidAuthorization', isRelease: true });
    const released = after(voiding, [{ type: 'voidConfirmed' }, dayOfHold(1)]);
    expect(released).toMatchObject({ status: 'captured', released: true });
    expect(amountsOf(released)).toMatchObject({ captured: 40_00, released: 60_00 });
  });
});

/** The result of reauthorizing a first hold of 1,000.00 for this amount. */
function raised(currency: string, minor: number): string {
  const state = {
    ...payment('authorized', { amount: { minor: 1_000_00, currency } }),
    authorization: { ...authorization, minor: 1_000_00 },
  };
  return transition(state, { ...asked, minor }, dayOfHold(4)).kind;
}
