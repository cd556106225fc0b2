import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { advanceRefund, nextLookAt } from '../../../libs/workflows/src/lifecycle/refund/progress.js';
import {
  type RefundEvent,
  type RefundState,
  isSettled,
  refundStatuses,
} from '../../../libs/workflows/src/lifecycle/refund/refund.js';
import { returnedAmounts } from '../../../libs/workflows/src/lifecycle/refund/returned-amounts.js';
import { decideRefund } from '../../../libs/workflows/src/lifecycle/refund/transition.js';
import { facts, observed, patience, refund, startedAt, usd } from './sample-refunds.js';

const now = startedAt + 1_000;
const shows = (changes: Parameters<typeof facts>[0]): RefundEvent => ({
  type: 'refundObserved',
  facts: facts(changes),
});
const untouched = { kind: 'capture', id: 'CAP-1', amount: usd(100_00), state: 'completed' } as const;

const events: Readonly<Record<string, RefundEvent>> = {
  'is notified': { type: 'refundNotified', eventType: 'PAYMENT.CAPTURE.REFUNDED' },
  'poll came due': { type: 'pollCameDue' },
  'shown pending': shows({ state: 'pending', collected: untouched }),
  'shown completed': shows({}),
  'shown completed, capture untouched': shows({ collected: untouched }),
  'shown failed': shows({ state: 'failed', collected: untouched }),
  'shown cancelled': shows({ state: 'cancelled', collected: untouched }),
  'shown in an unknown state': shows({ state: 'on_the_moon', collected: untouched }),
  'shown of another amount': shows({ amount: usd(41_00) }),
  'shown of another capture': shows({ collected: { ...untouched, id: 'CAP-2', state: 'refunded' } }),
  'shown above what was captured': shows({ amount: usd(100_01) }),
  'shown as nobody’s of ours': { type: 'refundObserved', facts: withoutPayment() },
  'missing at once': { type: 'refundFoundMissing', lookedAt: now },
  'missing at the horizon': { type: 'refundFoundMissing', lookedAt: startedAt + 120_000 },
  'read failed': { type: 'observationFailed' },
};

function withoutPayment() {
  const { paymentId: _none, ...rest } = facts();
  return rest;
}

/** A cell: where the refund then stands, `+look` when it is read next; `=` changes something, `-` tells nothing new. */
const table = `
event                              | observed   | pending   | completed | failed   | cancelled | unfounded
is notified                        | = +look    | = +look   | -         | -        | -         | -
poll came due                      | = +look    | = +look   | -         | -        | -         | -
shown pending                      | pending    | =         | -         | -        | -         | -
shown completed                    | completed  | completed | -         | conflict | conflict  | conflict
shown completed, capture untouched | pending    | =         | -         | conflict | conflict  | conflict
shown failed                       | failed     | failed    | conflict  | -        | conflict  | conflict
shown cancelled                    | cancelled  | cancelled | conflict  | conflict | -         | conflict
shown in an unknown state          | pending    | =         | -         | -        | -         | -
shown of another amount            | completed  | conflict  | conflict  | conflict | conflict  | conflict
shown of another capture           | completed  | conflict  | conflict  | conflict | conflict  | conflict
shown above what was captured      | conflict   | conflict  | conflict  | conflict | conflict  | conflict
shown as nobody’s of ours          | unfounded  | unfounded | -         | conflict | conflict  | conflict
missing at once                    | -          | -         | -         | -        | -         | -
missing at the horizon             | unfounded  | -         | -         | -        | -         | -
read failed                        | -          | -         | -         | -        | -         | -
`;

describe('every state with every event', () => {
  const [head = '', ...lines] = table.trim().split('\n');
  const [, ...statuses] = cells(head);
  it('is in the table', () => {
    expect(statuses).toEqual([...refundStatuses]);
    expect(lines.map((line) => cells(line)[0])).toEqual(Object.keys(events));
  });

  const cases = lines.flatMap((line) => {
    const [name = '', ...expected] = cells(line);
    return refundStatuses.map((status, n) => ({ name, status, expected: expected[n] ?? '' }));
  });
  it.each(cases)('$status, $name: $expected', ({ name, status, expected }) => {
    const state = refund(status);
    const decision = decideRefund(state, events[name]!, now);
    const moved = decision.state.status === status ? '=' : decision.state.status;
    const effect = 'effect' in decision && decision.effect ? ' +look' : '';
    const outcome = { moved: moved + effect, stale: '-', conflict: 'conflict' }[decision.kind];
    expect(outcome).toBe(expected);
    if (decision.kind === 'conflict') {
      const { contradiction, ...rest } = decision.state;
      expect(rest).toEqual(state);
      expect(contradiction).toBe(decision.reason);
    }
  });
});

function cells(line: string): string[] {
  return line.split('|').map((cell) => cell.trim());
}

describe('a refund', () => {
  it('takes amount, capture and payment from the read, whatever was said before', () => {
    const { state } = decideRefund(observed(), shows({ paymentId: 'pay_2' }), now);
    expect(state).toMatchObject({
      status: 'completed',
      paymentId: 'pay_2',
      amount: usd(40_00),
      collected: { kind: 'capture', id: 'CAP-1' },
      refundedAt: startedAt + 60_000,
    });
  });

  it('completes by its own word when the capture has not shown it for longer than reads can lag', () => {
    const event = shows({ collected: untouched });
    const first = decideRefund(refund('pending'), event, now).state;
    expect(decideRefund(first, event, now + patience.outcomeHorizonMs - 1).state.status).toBe('pending');
    const last = decideRefund(first, event, now + patience.outcomeHorizonMs).state;
    expect(last.status).toBe('completed');
    expect(last).not.toHaveProperty('uncorroboratedSince');
  });

  it('case 11: has a contradiction recorded once, however often it is shown', () => {
    const position = { state: refund('pending'), version: 3 };
    const first = advanceRefund(position, shows({ amount: usd(41_00) }), now);
    expect(first.entry).toMatchObject({ kind: 'conflict', from: 'pending', to: 'pending', version: 4 });
    expect(first.entry?.detail).toContain('41.00 USD');
    const again = advanceRefund(first.position, shows({ amount: usd(41_00) }), now + 1);
    expect(again).toEqual({ position: first.position });
  });

  it('is read at once, then with widening waits, and no more once it has settled', () => {
    let state = observed();
    expect(nextLookAt(state)).toBe(startedAt);
    const waits: number[] = [];
    for (let n = 0; n < 12; n += 1) {
      const at = nextLookAt(state) ?? 0;
      state = decideRefund(state, { type: 'pollCameDue' }, at).state;
      waits.push(((nextLookAt(state) ?? 0) - at) / 1_000);
    }
    expect(waits).toEqual([20, 40, 80, 160, 320, 640, 1280, 2560, 3600, 3600, 3600, 3600]);
    for (const status of refundStatuses.filter(isSettled)) expect(nextLookAt(refund(status))).toBeUndefined();
  });

  it('case 11: never leaves an end, and never changes its amount, in whatever order things are told', () => {
    const anything = fc.array(fc.tuple(fc.constantFrom(...Object.values(events)), fc.nat(200_000)));
    fc.assert(
      fc.property(anything, (happenings) => {
        let position: { state: RefundState; version: number } = { state: observed(), version: 0 };
        let at = startedAt;
        for (const [event, ms] of happenings) {
          at += ms;
          const before = position.state;
          position = advanceRefund(position, event, at).position;
          const after = position.state;
          if (isSettled(before.status)) expect(after.status).toBe(before.status);
          if (before.status === 'pending') expect(after.status).not.toBe('observed');
          if (before.amount) expect(after.amount).toEqual(before.amount);
          if (after.status === 'completed') expect(after.amount).toBeDefined();
        }
      }),
    );
  });
});

describe('what went back of a payment', () => {
  it('is the sum of completed refunds; others have moved nothing', () => {
    const refunds = refundStatuses.map(refund);
    expect(returnedAmounts([...refunds, refund('completed')])).toEqual({ refunded: 80_00, reversed: 0 });
  });

  it('counts of a reversal what the provider told, once per capture, and says so where it did not', () => {
    expect(returnedAmounts([reversal('CAP-1', 60_00), reversal('CAP-2', 5_00)]).reversed).toBe(65_00);
    expect(returnedAmounts([reversal('CAP-1'), reversal('CAP-1', 60_00)]).reversed).toBe(60_00);
    expect(returnedAmounts([reversal('CAP-1'), reversal('CAP-2', 5_00)]).reversed).toBeUndefined();
  });
});

function reversal(id: string, minor?: number): RefundState {
  const { amount: _none, ...rest } = refund('completed');
  return {
    ...rest,
    claim: { kind: 'reversal', collected: { kind: 'capture', id } },
    collected: { kind: 'capture', id },
    ...(minor !== undefined && { amount: usd(minor) }),
  };
}
