import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  capture,
  expire,
  openMinor,
  renew,
  replace,
  voidHolding,
} from '../../../apps/sandbox/src/authorizations/holding.js';
import {
  mostReauthorizable,
  refusalToReauthorize,
  type Reauthorizable,
} from '../../../apps/sandbox/src/authorizations/reauthorization.js';

const HONORED_UNTIL = new Date('2030-01-04T00:00:00Z');
const VALID_UNTIL = new Date('2030-01-30T00:00:00Z');
const DAY_4 = HONORED_UNTIL;

const authorized = (changes: Partial<Reauthorizable> = {}): Reauthorizable => ({
  state: 'authorized',
  amount_minor: 10_000,
  original_minor: 10_000,
  captured_minor: 0,
  pending_minor: 0,
  released_minor: 0,
  closing: false,
  currency: 'USD',
  renewals: 0,
  parent_id: null,
  honored_until: HONORED_UNTIL,
  valid_until: VALID_UNTIL,
  ...changes,
});

const ONCE = { minor: 10_000, times: 'once', hasSuccessor: false } as const;

describe('whether an authorization can be reauthorized', () => {
  it.each<[string, Date, string | null]>([
    [
      'the last instant of the honour period',
      new Date(HONORED_UNTIL.getTime() - 1),
      'REAUTHORIZATION_TOO_SOON',
    ],
    ['the first instant after it', DAY_4, null],
    ['the last instant of day 29', new Date(VALID_UNTIL.getTime() - 1), null],
    ['the end of day 29', VALID_UNTIL, 'AUTHORIZATION_EXPIRED'],
  ])('depends on the time: %s', (_, now, refusal) => {
    expect(refusalToReauthorize(authorized(), ONCE, now)?.refusal ?? null).toBe(refusal);
  });

  it.each<[string, Partial<Reauthorizable>, string]>([
    ['pending', { state: 'pending' }, 'PAYMENT_STATE_INVALID'],
    ['denied', { state: 'denied' }, 'PAYMENT_STATE_INVALID'],
    ['voided', { state: 'voided', released_minor: 10_000 }, 'AUTHORIZATION_VOIDED'],
    ['expired', { state: 'expired', released_minor: 10_000 }, 'AUTHORIZATION_EXPIRED'],
    ['captured', { state: 'captured', captured_minor: 10_000 }, 'AUTHORIZATION_ALREADY_COMPLETED'],
    [
      'waiting for its final capture',
      { pending_minor: 5_000, closing: true },
      'AUTHORIZATION_ALREADY_COMPLETED',
    ],
    ['reserved by pending captures', { pending_minor: 10_000 }, 'AUTHORIZATION_ALREADY_COMPLETED'],
    ['renewed before', { renewals: 1 }, 'TOO_MANY_REAUTHORIZATIONS'],
    ['the successor of another', { parent_id: 'ANOTHER' }, 'CANNOT_REAUTH_CHILD_AUTHORIZATION'],
  ])('depends on its state: %s', (_, changes, refusal) => {
    expect(refusalToReauthorize(authorized(changes), ONCE, DAY_4)).toEqual({ refusal });
  });

  it('does not depend on earlier times where many are allowed', () => {
    const many = { ...ONCE, times: 'many' } as const;
    expect(refusalToReauthorize(authorized({ renewals: 3 }), many, DAY_4)).toBeNull();
    expect(refusalToReauthorize(authorized({ parent_id: 'ANOTHER' }), many, DAY_4)).toBeNull();
    const replaced = authorized({ state: 'voided' });
    expect(refusalToReauthorize(replaced, { ...many, hasSuccessor: true }, DAY_4)).toEqual({
      refusal: 'TOO_MANY_REAUTHORIZATIONS',
    });
  });

  it.each<[string, number, string, number]>([
    ['115 % of a small amount', 10_000, 'USD', 11_500],
    ['rounded down', 333, 'USD', 382],
    ['75 USD above a large one', 100_000, 'USD', 107_500],
    ['just where both meet', 50_000, 'USD', 57_500],
    ['their value in yen', 1_000_000, 'JPY', 1_011_250],
    ['their value in dinars of three decimals', 1_000_000, 'KWD', 1_023_250],
    ['115 % alone where no rate is known', 1_000_000, 'XAF', 1_150_000],
  ])('depends on the amount: %s', (_, original, currency, most) => {
    expect(mostReauthorizable(original, currency)).toBe(most);
    const one = authorized({ original_minor: original, amount_minor: original, currency });
    expect(refusalToReauthorize(one, { ...ONCE, minor: most }, DAY_4)).toBeNull();
    expect(refusalToReauthorize(one, { ...ONCE, minor: most + 1 }, DAY_4)).toEqual({
      refusal: 'AUTHORIZATION_AMOUNT_LIMIT_EXCEEDED',
    });
  });

  it('counts what was captured before towards the limit', () => {
    const partly = authorized({ state: 'partially_captured', captured_minor: 4_000, pending_minor: 1_000 });
    expect(refusalToReauthorize(partly, { ...ONCE, minor: 6_500 }, DAY_4)).toBeNull();
    expect(refusalToReauthorize(partly, { ...ONCE, minor: 6_501 }, DAY_4)).toEqual({
      refusal: 'AUTHORIZATION_AMOUNT_LIMIT_EXCEEDED',
    });
  });
});

describe('the money side of a reauthorization', () => {
  it('holds exactly the new amount, and gives back exactly what was open', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1000 }),
        fc.integer({ min: 1, max: 1000 }),
        fc.integer({ min: 1, max: 1150 }),
        (amount, captured, renewed) => {
          const first = capture(
            authorized({ amount_minor: amount }),
            { minor: captured, isFinal: false, isPending: false },
            DAY_4,
          );
          const before = 'refusal' in first ? authorized({ amount_minor: amount }) : first.holding;
          fc.pre(openMinor(before) > 0);
          const same = renew(before, renewed);
          expect(openMinor(same.holding)).toBe(renewed);
          expect(same.releasedMinor).toBe(openMinor(before));
          expect(same.holding.state).toBe(before.state);
          expect(
            capture(same.holding, { minor: renewed + 1, isFinal: false, isPending: false }, DAY_4),
          ).toEqual({
            refusal: 'CAPTURE_AMOUNT_LIMIT_EXCEEDED',
          });
          expect(voidHolding(same.holding, DAY_4)).toMatchObject({ releasedMinor: renewed });
          expect(expire(same.holding, VALID_UNTIL)).toMatchObject({ releasedMinor: renewed });

          const other = replace(before);
          expect(openMinor(other.holding)).toBe(0);
          expect(other).toMatchObject({ holding: { state: 'voided' }, releasedMinor: openMinor(before) });
        },
      ),
    );
  });
});
