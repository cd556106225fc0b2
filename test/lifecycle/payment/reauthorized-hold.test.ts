import { describe, expect, it } from 'vitest';
import { amountsOf, isOtherAmount } from '#workflows/lifecycle/payment/amounts.js';
import {
  reauthorizationAt,
  type PaymentState,
  type PaymentEvent,
  transition,
} from '#workflows/lifecycle/payment';
import {
  followReauthorization,
  lagsBehind,
  reauthorizationIn,
} from '#workflows/lifecycle/payment/reauthorization.js';
import {
  after,
  authorization,
  capture,
  day,
  facts,
  payment,
  reauthorizedAuthorization,
} from './sample-payments.js';

const at = authorization.createdAt + 4 * day;
const reauthorized = (validUntil = authorization.validUntil, isEnded = false): PaymentEvent => ({
  type: 'authorizationRenewed',
  authorization: { ...reauthorizedAuthorization, createdAt: at, validUntil },
  heldAt: at,
  ...(isEnded && { isEnded }),
});
const longer = authorization.validUntil + day;

describe('a hold that was reauthorized', () => {
  const reauthorizing = payment('reauthorizing');

  it('is read at once when somebody had ended it before it was looked up', () => {
    expect(transition(reauthorizing, reauthorized(authorization.validUntil, true), at)).toMatchObject({
      kind: 'moved',
      effect: { type: 'observe' },
    });
    expect(transition(reauthorizing, reauthorized(), at)).not.toHaveProperty('effect');
  });

  it('does not count as another amount than was ordered, because that amount was asked for', () => {
    const held = after(reauthorizing, [reauthorized(), at]);
    expect(held.authorization?.minor).toBe(60_00);
    expect(isOtherAmount(held)).toBe(false);
    expect(amountsOf(held)).toMatchObject({ authorized: 100_00, captured: 40_00, capturable: 60_00 });
  });

  it('has the warnings and the end of the same window, and of no longer one', () => {
    const late: PaymentState = { ...reauthorizing, warning: 'capture_window_ending', lapsed: true };
    expect(after(late, [reauthorized(), at])).toMatchObject({
      warning: 'capture_window_ending',
      lapsed: true,
    });
    const fresh = after(late, [reauthorized(longer), at]);
    expect(fresh.warning).toBeUndefined();
    expect(fresh.lapsed).toBe(false);
  });

  it.each(['honour_period_ending', 'honour_period_ended'] as const)(
    'is no longer warned about as %s',
    (warning) => {
      expect(after({ ...reauthorizing, warning }, [reauthorized(), at]).warning).toBeUndefined();
    },
  );
});

describe('a reauthorization whose answer was lost', () => {
  const running = payment('reauthorizing');
  const changed = { ...authorization, state: 'partially_captured', changedAt: at };
  const seen = authorization.createdAt;

  it.each([
    ['that are all known', []],
    ['of which one was made elsewhere before', [capture(10_00, { captureId: 'CAP-9' })]],
  ])('is found by a change beside captures %s', (_what, elsewhere) => {
    const shown = facts({ authorization: changed, captures: [capture(40_00), ...elsewhere] });
    expect(reauthorizationIn(running, shown, seen)).toMatchObject({
      type: 'authorizationRenewed',
      heldAt: at,
    });
    expect(reauthorizationIn(running, shown, undefined)).toBeUndefined();
  });
});

const tooSoon: PaymentEvent = { type: 'reauthorizationTooSoon', reason: 'r' };

/** It cannot come to this; if it does, nothing is made up. */
describe.each(['authorization', 'openStep'] as const)('without its %s', (missing) => {
  it.each([reauthorized(), tooSoon])('a payment is not changed by $type', (event) => {
    const { [missing]: _gone, ...without } = payment('reauthorizing');
    expect(transition(without, event, at)).toEqual({ kind: 'stale', state: without });
  });
});

it('a payment without a hold is not reauthorized, follows no reauthorization, and has no lagging reads', () => {
  const { authorization: _none, ...without } = payment('partially_captured');
  const wish: PaymentEvent = { type: 'reauthorizeRequested', commandId: 'cmd_2' };
  expect(transition(without, wish, at)).toEqual({ kind: 'stale', state: without });
  const shown = { ...authorization, state: 'authorized' };
  expect(followReauthorization(without, shown)).toBe(without);
  expect(lagsBehind(without, shown)).toBe(false);
});

describe('another amount under the id of the known hold', () => {
  const held = payment('authorized');
  const shown = { ...authorization, minor: 80_00, state: 'authorized' };

  it('is a reauthorization when the hold has changed since', () => {
    const changedAt = authorization.createdAt + 1;
    expect(followReauthorization(held, { ...shown, changedAt }).authorization).toMatchObject({
      minor: 80_00,
      renewal: { heldAt: changedAt },
    });
  });

  it.each([undefined, authorization.createdAt, authorization.createdAt - 1])(
    'is none when it was last changed at %s: then it contradicts what is known',
    (changedAt) => {
      const read = { ...shown, ...(changedAt !== undefined && { changedAt }) };
      expect(followReauthorization(held, read)).toBe(held);
    },
  );
});

/** Reauthorized as AUTH-3, after AUTH-1 and AUTH-2: 60.00, at `at`. */
const third: PaymentState = {
  ...payment('authorized'),
  authorization: {
    ...authorization,
    authorizationId: 'AUTH-3',
    minor: 60_00,
    renewal: { heldAt: at, dayLengthMs: day },
  },
  reauthorizations: {
    earlier: [
      { authorizationId: 'AUTH-1', minor: 100_00 },
      { authorizationId: 'AUTH-2', minor: 80_00 },
    ],
    tries: 0,
    failures: 0,
  },
};
const present = { ...authorization, authorizationId: 'AUTH-3', minor: 60_00, state: 'authorized' };

describe('a read of a hold that was reauthorized twice', () => {
  it.each(['AUTH-1', 'AUTH-2'])('that shows %s lags behind', (authorizationId) => {
    const lagging = { ...present, authorizationId };
    expect(lagsBehind(third, lagging)).toBe(true);
    expect(reauthorizationIn(third, facts({ authorization: lagging }), at)).toBeUndefined();
  });

  it('that shows another amount lags behind unless the hold has changed since it was reauthorized', () => {
    const other = { ...present, minor: 80_00 };
    expect(lagsBehind(third, other)).toBe(true);
    expect(lagsBehind(third, { ...other, changedAt: at })).toBe(true);
    expect(lagsBehind(third, { ...other, changedAt: at + 1 })).toBe(false);
  });

  it('that shows it unchanged, or an unknown hold, does not lag behind', () => {
    expect(lagsBehind(third, present)).toBe(false);
    expect(lagsBehind(third, { ...present, authorizationId: 'AUTH-4', minor: 50_00 })).toBe(false);
  });

  it('that shows no hold, or one that is no later than ours, shows no reauthorization', () => {
    const { authorization: _none, ...without } = facts();
    expect(reauthorizationIn(third, without, at)).toBeUndefined();
    const notOurs = { ...present, authorizationId: 'AUTH-4', minor: 50_00 };
    expect(reauthorizationIn(third, facts({ authorization: notOurs }), at)).toBeUndefined();
  });
});

it('shows no reauthorization of a payment that has no hold', () => {
  const { authorization: _none, ...without } = payment('authorized');
  expect(reauthorizationIn(without, facts(), at)).toBeUndefined();
});

it('each attempt of the policy has its own name, which never changes', () => {
  const order = { honourPolicy: { action: 'none', reauthorize: 'once' } } as const;
  let state = payment('authorized', order);
  const names: unknown[] = [];
  for (let tries = 0; tries < 3; tries += 1) {
    const due = reauthorizationAt(state) ?? 0;
    state = after(state, [{ type: 'reauthorizationCameDue' }, due]);
    names.push(state.openStep?.step);
    state = after(state, [tooSoon, due]);
  }
  expect(names).toMatchObject([
    { commandId: 'pay_1:reauthorization-policy' },
    { commandId: 'pay_1:reauthorization-policy-2' },
    { commandId: 'pay_1:reauthorization-policy-3' },
  ]);
});

it('a reauthorization that is found without its instant counts from when its hold was made', () => {
  const { heldAt } =
    reauthorizationIn(
      payment('reauthorizing'),
      facts({ authorization: { ...authorization, validUntil: longer, state: 'authorized' } }),
      undefined,
    ) ?? {};
  expect(heldAt).toBe(authorization.createdAt);
});

it('a hold that somebody has reauthorized under another id has its own dates', () => {
  const shown = { ...authorization, authorizationId: 'AUTH-9', createdAt: at, validUntil: longer };
  const followed = followReauthorization(payment('authorized'), { ...shown, state: 'authorized' });
  expect(followed.authorization).toMatchObject(shown);
});
