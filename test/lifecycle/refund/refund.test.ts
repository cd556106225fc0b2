import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  advanceRefund,
  refundLifecycle,
  type RefundEvent,
  type RefundState,
  isRefundTerminal,
  observedRefund,
  refundStatuses,
  returnedAmounts,
  transitionRefund,
} from '#workflows/lifecycle/refund';
import { sampleEvents } from './sample-events.js';
import {
  facts,
  observed,
  patience,
  pendingRequest,
  refund,
  request,
  startedAt,
  usd,
} from './sample-refunds.js';

const now = startedAt + 1_000;
const shows = (changes: Parameters<typeof facts>[0]): RefundEvent => ({
  type: 'refundObserved',
  facts: facts(changes),
});
const untouched = { kind: 'capture', id: 'CAP-1', amount: usd(100_00), state: 'completed' } as const;
const missing = (lookedAt: number): RefundEvent => ({ type: 'refundFoundMissing', lookedAt });
const nextLookAt = (state: RefundState) => refundLifecycle.nextDeadline(state)?.at;

describe('a refund', () => {
  it('begins with its request, and one that was reported with its claim alone', () => {
    const { claim, ...first } = request();
    expect(first).toEqual({
      status: 'requesting',
      paymentId: 'pay_1',
      collected: { kind: 'capture', id: 'CAP-1' },
      amount: usd(40_00),
      openStep: expect.objectContaining({ number: 1, phase: 'running', attempts: 0, since: startedAt }),
      stepsBegun: 1,
      startedAt,
      polls: 0,
      patience,
    });
    expect(observed()).toEqual({
      status: 'observed',
      claim: { kind: 'refund', providerRefundId: 'REF-1' },
      paymentId: 'pay_1',
      stepsBegun: 0,
      startedAt,
      polls: 0,
      patience,
    });
    expect(claim).toMatchObject({ kind: 'request', amount: usd(40_00) });
  });

  it('has gone back when a read shows it, if the provider does not say when', () => {
    const { settledAt: _unsaid, ...untimed } = facts();
    const event: RefundEvent = { type: 'refundObserved', facts: untimed };
    expect(transitionRefund(observed(), event, now).state).toMatchObject({
      status: 'completed',
      refundedAt: now,
    });
  });

  it('that nobody shows once reads can lag no more is unfounded, and keeps its claim', () => {
    const lookedAt = startedAt + patience.outcomeHorizonMs;
    expect(transitionRefund(observed(), missing(lookedAt - 1), now)).toEqual({
      kind: 'stale',
      state: observed(),
    });
    const reason = 'The provider does not show it.';
    expect(transitionRefund(observed(), missing(lookedAt), now)).toEqual({
      kind: 'moved',
      state: { ...observed(), status: 'unfounded', reason },
    });
  });

  it('of which an event tells is read at once, and its next poll comes later', () => {
    const told: RefundEvent = { type: 'refundNotified', eventType: 'PAYMENT.CAPTURE.REFUNDED' };
    const state = { ...refund('pending'), polls: 1 };
    expect(transitionRefund(state, told, now)).toEqual({
      kind: 'moved',
      state: { ...state, lastLookAt: now },
      effect: { type: 'observe' },
    });
  });

  it('takes amount, capture and payment from the read, whatever was said before', () => {
    const { state } = transitionRefund(observed(), shows({ paymentId: 'pay_2' }), now);
    expect(state).toMatchObject({
      status: 'completed',
      paymentId: 'pay_2',
      amount: usd(40_00),
      collected: { kind: 'capture', id: 'CAP-1' },
      refundedAt: startedAt + 60_000,
    });
  });

  it('completes by its own status when the capture has not shown it for longer than reads can lag', () => {
    const event = shows({ collected: untouched });
    const first = transitionRefund(refund('pending'), event, now).state;
    expect(transitionRefund(first, event, now + patience.outcomeHorizonMs - 1).state.status).toBe('pending');
    const last = transitionRefund(first, event, now + patience.outcomeHorizonMs).state;
    expect(last.status).toBe('completed');
    expect(last).not.toHaveProperty('uncorroboratedSince');
  });

  it('whose reads disagree on the charged back amount waits for one that shows it, or ends without', () => {
    const claim = { kind: 'reversal', collected: { kind: 'capture', id: 'CAP-1' } } as const;
    const { amount, ...unsent } = facts({ collected: { ...untouched, state: 'refunded' } });
    const doubted: RefundEvent = { type: 'refundObserved', facts: { ...unsent, isAmountInDoubt: true } };
    const first = transitionRefund(observedRefund(claim, 'pay_1', patience, startedAt), doubted, now).state;
    expect(first.status).toBe('pending');
    const reported: RefundEvent = { type: 'refundObserved', facts: { ...unsent, amount: amount! } };
    expect(transitionRefund(first, reported, now + 1).state).toMatchObject({ status: 'completed', amount });
    const last = transitionRefund(first, doubted, now + patience.outcomeHorizonMs).state;
    expect(last.status).toBe('completed');
    expect(last).not.toHaveProperty('amount');
  });

  it('case 11: has a contradiction recorded once, however often it is shown', () => {
    const position = { state: refund('pending'), version: 3 };
    const first = advanceRefund(position, shows({ amount: usd(41_00) }), now);
    expect(first.entry).toMatchObject({ kind: 'conflict', from: 'pending', to: 'pending', version: 4 });
    expect(first.entry?.detail).toContain('41.00 USD');
    const again = advanceRefund(first.position, shows({ amount: usd(41_00) }), now + 1);
    expect(again).toEqual({ position: first.position });
  });

  it('is read at once, then at growing intervals, and no more after its end', () => {
    let state = observed();
    const poll = { type: 'pollCameDue' };
    expect(refundLifecycle.nextDeadline(state)).toEqual({ at: startedAt, event: poll });
    const waits: number[] = [];
    for (let n = 0; n < 12; n += 1) {
      const at = nextLookAt(state) ?? 0;
      state = transitionRefund(state, { type: 'pollCameDue' }, at).state;
      expect(refundLifecycle.nextDeadline(state)).toMatchObject({ event: poll });
      waits.push(((nextLookAt(state) ?? 0) - at) / 1_000);
    }
    expect(waits).toEqual([20, 40, 80, 160, 320, 640, 1280, 2560, 3600, 3600, 3600, 3600]);
    for (const status of refundStatuses.filter(isRefundTerminal))
      expect(nextLookAt(refund(status))).toBeUndefined();
  });

  it('of our own that is read back is ours, whatever it is said to belong to', () => {
    const { paymentId: _none, ...withoutPayment } = facts({ collected: { ...untouched, state: 'refunded' } });
    const { state } = transitionRefund(
      pendingRequest(),
      { type: 'refundObserved', facts: withoutPayment },
      now,
    );
    expect(state).toMatchObject({ status: 'completed', paymentId: 'pay_1' });
  });

  it('with our own reference is not one made elsewhere', () => {
    const { state } = transitionRefund(observed(), shows({ madeBy: 're_1' }), now);
    expect(state).toEqual({
      ...observed(),
      status: 'unfounded',
      reason: 'It is our own refund re_1, and was not made elsewhere.',
    });
  });

  it('case 11: never leaves an end, and never changes its amount, in whatever order reports come', () => {
    const anything = fc.array(fc.tuple(fc.constantFrom(...Object.values(sampleEvents)), fc.nat(200_000)));
    fc.assert(
      fc.property(fc.constantFrom(observed(), request()), anything, (first, happenings) => {
        let position: { state: RefundState; version: number } = { state: first, version: 0 };
        let at = startedAt;
        for (const [event, ms] of happenings) {
          at += ms;
          const before = position.state;
          position = advanceRefund(position, event, at).position;
          const after = position.state;
          const isLate = event.type === 'refundCameToLight' && after.status === 'completed';
          if (isRefundTerminal(before.status) && !isLate) expect(after.status).toBe(before.status);
          if (before.status === 'pending') expect(['observed', 'requesting']).not.toContain(after.status);
          if (before.amount) expect(after.amount).toEqual(before.amount);
          if (after.status === 'completed') expect(after.amount).toBeDefined();
          expect(nextLookAt(after) === undefined).toBe(
            isRefundTerminal(after.status) || after.openStep?.phase === 'running',
          );
        }
      }),
    );
  });
});

describe('the refunded amount of a payment', () => {
  it('is the sum of completed refunds; others have moved nothing', () => {
    const refunds = refundStatuses.map(refund);
    expect(returnedAmounts([...refunds, refund('completed')])).toEqual({ refunded: 80_00, reversed: 0 });
  });

  it('counts chargebacks apart from refunds', () => {
    expect(returnedAmounts([refund('completed'), reversal('CAP-1', 60_00)])).toEqual({
      refunded: 40_00,
      reversed: 60_00,
    });
  });

  it('counts a chargeback with the amount that the provider shows, once per capture, and says when there is none', () => {
    expect(returnedAmounts([reversal('CAP-1', 60_00), reversal('CAP-2', 5_00)]).reversed).toBe(65_00);
    expect(returnedAmounts([reversal('CAP-1'), reversal('CAP-1', 60_00)]).reversed).toBe(60_00);
    expect(returnedAmounts([reversal('CAP-1'), reversal('CAP-2', 5_00)]).reversed).toBeUndefined();
    const oneOfBoth = { ...reversal('CAP-1'), chargedBack: usd(60_00) };
    expect(returnedAmounts([reversal('CAP-1'), oneOfBoth]).reversed).toBe(60_00);
    expect(returnedAmounts([{ ...reversal('CAP-1', 10_00), chargedBack: usd(10_00) }]).reversed).toBe(10_00);
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
