import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  capture,
  expire,
  openMinor,
  reauthorize,
  replace,
  voidHolding,
} from '#sandbox/authorizations/held-money.js';
import {
  mostReauthorizable,
  refusalToReauthorize,
  type Reauthorizable,
} from '#sandbox/authorizations/reauthorization.js';

const HONORED_UNTIL = new Date('2030-01-04T00:00:00Z');
const VALID_UNTIL = new Date('2030-01-30T00:00:00Z');
const DAY_4 = HONORED_UNTIL;

const authorized = (changes: Partial<Reauthorizable> = {}): Reauthorizable => ({
  state: 'authorized',
  amount_minor: 10_000,
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

const ONCE = {
  minor: 10_000,
  originalMinor: 10_000,
  spentEarlierMinor: 0,
  times: 'once',
  hasSuccessor: false,
} as const;

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
    ['reauthorized before', { renewals: 1 }, 'TOO_MANY_REAUTHORIZATIONS'],
    ['the successor of another', { parent_id: 'ANOTHER' }, 'CANNOT_REAUTH_CHILD_AUTHORIZATION'],
  ])('depends on its state: %s', (_, changes, refusal) => {
    expect(refusalToReauthorize(authorized(changes), ONCE, DAY_4)).toEqual({ refusal });
  });

  it('does not depend on earlier times when many are allowed', () => {
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
    const one = authorized({ amount_minor: original, currency });
    const terms = { ...ONCE, originalMinor: original };
    expect(refusalToReauthorize(one, { ...terms, minor: most }, DAY_4)).toBeNull();
    expect(refusalToReauthorize(one, { ...terms, minor: most + 1 }, DAY_4)).toEqual({
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

/** One authorization as it goes on: under one id, or under a new one each time. */
class Chain {
  current = authorized();
  spentEarlierMinor = 0;

  constructor(private readonly reauthorizationId: 'same' | 'new') {}

  capture(minor: number, isPending: boolean): string {
    const change = capture(this.current, { minor, isFinal: false, isPending }, DAY_4);
    if ('refusal' in change) return change.refusal;
    this.current = { ...this.current, ...change.holding };
    return 'captured';
  }

  reauthorize(minor: number): string {
    const { spentEarlierMinor } = this;
    const terms = { ...ONCE, minor, spentEarlierMinor, times: 'many' } as const;
    const refused = refusalToReauthorize(this.current, terms, DAY_4);
    if (refused !== null) return refused.refusal;
    if (this.reauthorizationId === 'same') {
      this.current = { ...this.current, ...reauthorize(this.current, minor).holding };
      return 'reauthorized';
    }
    this.spentEarlierMinor += this.current.captured_minor + this.current.pending_minor;
    this.current = authorized({ amount_minor: minor, parent_id: 'ANOTHER' });
    return 'reauthorized';
  }

  get exposedMinor(): number {
    const { captured_minor, pending_minor } = this.current;
    return this.spentEarlierMinor + captured_minor + pending_minor + openMinor(this.current);
  }
}

describe('under the same id and under new ones', () => {
  const minor = fc.integer({ min: 1, max: 12_000 });
  const step = fc.oneof(
    fc.record({ kind: fc.constant('capture' as const), minor, isPending: fc.boolean() }),
    fc.record({ kind: fc.constant('reauthorize' as const), minor }),
  );

  it('each step is answered alike, and captures and holds never exceed the limit', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), (steps) => {
        const chains = [new Chain('same'), new Chain('new')];
        for (const one of steps) {
          const [same, other] = chains.map((chain) =>
            one.kind === 'capture' ? chain.capture(one.minor, one.isPending) : chain.reauthorize(one.minor),
          );
          expect(other).toBe(same);
          const [exposed, otherExposed] = chains.map(({ exposedMinor }) => exposedMinor);
          expect(otherExposed).toBe(exposed);
          expect(exposed).toBeLessThanOrEqual(11_500);
        }
      }),
    );
  });
});

it('holds that are reauthorized under one id add up to no more than the books can count', () => {
  const held = authorized({ amount_minor: Number.MAX_SAFE_INTEGER - 10_000 });
  const many = { ...ONCE, times: 'many' } as const;
  expect(refusalToReauthorize(held, many, DAY_4)).toBeNull();
  expect(refusalToReauthorize(held, { ...many, minor: 10_001 }, DAY_4)).toEqual({
    refusal: 'AUTHORIZATION_AMOUNT_LIMIT_EXCEEDED',
  });
});

describe('the money side of a reauthorization', () => {
  it('holds exactly the new amount, and returns exactly what was open', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1000 }),
        fc.integer({ min: 1, max: 1000 }),
        fc.integer({ min: 1, max: 1150 }),
        (amount, captured, reauthorized) => {
          const first = capture(
            authorized({ amount_minor: amount }),
            { minor: captured, isFinal: false, isPending: false },
            DAY_4,
          );
          const before = 'refusal' in first ? authorized({ amount_minor: amount }) : first.holding;
          fc.pre(openMinor(before) > 0);
          const same = reauthorize(before, reauthorized);
          expect(openMinor(same.holding)).toBe(reauthorized);
          expect(same.releasedMinor).toBe(openMinor(before));
          expect(same.holding.state).toBe(before.state);
          expect(
            capture(same.holding, { minor: reauthorized + 1, isFinal: false, isPending: false }, DAY_4),
          ).toEqual({
            refusal: 'CAPTURE_AMOUNT_LIMIT_EXCEEDED',
          });
          expect(voidHolding(same.holding, DAY_4)).toMatchObject({ releasedMinor: reauthorized });
          expect(expire(same.holding, VALID_UNTIL)).toMatchObject({ releasedMinor: reauthorized });

          const other = replace(before);
          expect(openMinor(other.holding)).toBe(0);
          expect(other).toMatchObject({ holding: { state: 'voided' }, releasedMinor: openMinor(before) });
        },
      ),
    );
  });
});
