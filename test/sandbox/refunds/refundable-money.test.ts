import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  leftMinor,
  refund,
  reverse,
  finishRefund,
  type Returnable,
} from '#sandbox/refunds/refundable-money.js';

const collected = (amount_minor: number): Returnable => ({
  state: 'completed',
  amount_minor,
  refunded_minor: 0,
  refund_pending_minor: 0,
  reversed_minor: 0,
});

describe('the refund of collected money', () => {
  it('is all that is left when no amount is given', () => {
    const part = refund(collected(100), 30, false);
    expect(part).toMatchObject({ minor: 30, returnable: { state: 'partially_refunded' } });
    const rest = refund((part as { returnable: Returnable }).returnable, null, false);
    expect(rest).toMatchObject({ minor: 70, returnable: { state: 'refunded', refunded_minor: 100 } });
  });

  it('is nothing of money that was not collected', () => {
    for (const state of ['pending', 'denied'] as const) {
      expect(refund({ ...collected(100), state }, null, false)).toEqual({ refusal: 'TRANSACTION_REFUSED' });
      expect(reverse({ ...collected(100), state }, null)).toEqual({ refusal: 'TRANSACTION_REFUSED' });
    }
  });

  it.each([
    [
      'takes all that is left, and no more',
      refund({ ...collected(100), reversed_minor: 30, refund_pending_minor: 20 }, 50, false),
      { minor: 50, returnable: { refunded_minor: 50 } },
    ],
    [
      'is refused above what pending refunds leave',
      refund({ ...collected(100), refund_pending_minor: 20 }, 81, false),
      { refusal: 'REFUND_EXCEEDED_TRANSACTION_AMOUNT' },
    ],
    [
      'is refused above what chargebacks leave',
      refund({ ...collected(100), reversed_minor: 30 }, 71, false),
      { refusal: 'REFUND_EXCEEDED_TRANSACTION_AMOUNT' },
    ],
    [
      'is refused when nothing is left',
      refund({ ...collected(100), refund_pending_minor: 100 }, null, false),
      { refusal: 'TRANSACTION_ALREADY_REFUNDED' },
    ],
  ])('%s', (_what, answer, expected) => {
    expect(answer).toMatchObject(expected);
  });

  it('never exceeds what was collected, and the state shows how much it is, whatever happens in whatever order', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1000 }), fc.array(step, { maxLength: 30 }), (amount, steps) => {
        let money = collected(amount);
        let returned = 0;
        const pending: number[] = [];
        for (const next of steps) {
          if (next.does === 'finish') {
            const minor = pending.shift();
            if (minor === undefined) continue;
            money = finishRefund(money, minor, next.outcome);
            returned += next.outcome === 'completed' ? minor : 0;
          } else {
            const change =
              next.does === 'reverse'
                ? reverse(money, next.minor)
                : refund(money, next.minor, next.isPending);
            if ('refusal' in change) {
              expect(next.minor === null ? leftMinor(money) : leftMinor(money) - next.minor).toBeLessThan(
                next.minor === null ? 1 : 0,
              );
              continue;
            }
            money = change.returnable;
            if (next.does === 'refund' && next.isPending) pending.push(change.minor);
            else returned += change.minor;
          }
          expect(leftMinor(money)).toBeGreaterThanOrEqual(0);
          expect(money.refunded_minor + money.reversed_minor).toBe(returned);
          expect(money.refund_pending_minor).toBe(pending.reduce((sum, minor) => sum + minor, 0));
          expect(money.state).toBe(stateOf(returned, amount));
        }
      }),
    );
  });
});

const minor = fc.option(fc.integer({ min: 1, max: 600 }));

const step = fc.oneof(
  fc.record({ does: fc.constant('refund' as const), minor, isPending: fc.boolean() }),
  fc.record({ does: fc.constant('reverse' as const), minor }),
  fc.record({
    does: fc.constant('finish' as const),
    outcome: fc.constantFrom('completed' as const, 'failed' as const, 'cancelled' as const),
  }),
);

function stateOf(returned: number, amount: number): string {
  if (returned === 0) return 'completed';
  return returned === amount ? 'refunded' : 'partially_refunded';
}
