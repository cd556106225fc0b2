import { describe, expect, it } from 'vitest';
import { nextDeadline } from '#workflows/lifecycle/payment/deadlines.js';
import { isTerminal, paymentStatuses, restartFrom, transition } from '#workflows/lifecycle/payment';
import { inDoubt, now, patience, payment, settled } from './sample-payments.js';

const takeUp = (state: ReturnType<typeof payment>) => restartFrom({ state, version: 7 }, now);

describe('a payment whose run is lost', () => {
  it.each(paymentStatuses.filter((status) => !isTerminal(status)))(
    'that is %s has a deadline in a new run, and waits for no message',
    (status) => {
      const { state } = takeUp(payment(status)).position;
      expect(nextDeadline(state)?.at).toBeLessThanOrEqual(now + patience.firstLookMs);
    },
  );

  it('repeats a call that was under way as the same attempt of the same step', () => {
    const before = payment('capturing');
    const { state } = takeUp(before).position;
    expect(state.openStep).toEqual({ ...before.openStep, phase: 'retry', isResumed: true, nextAt: now });
    expect(nextDeadline(state)?.event).toEqual({ type: 'stepCameDue' });
  });

  it('continues to look up a call in doubt at the planned time', () => {
    const doubted = inDoubt(payment('capturing'));
    expect(takeUp(doubted).position.state).toEqual(doubted);
  });

  it('reads a hold, because the messages to the old run are lost', () => {
    const { state } = takeUp(settled(payment('authorized'))).position;
    expect(nextDeadline(state)?.event).toEqual({ type: 'pollCameDue' });
  });

  it('reads the hold when its step is over, because news that came during the step may be in no row', () => {
    const doubted = takeUp(inDoubt(payment('voiding', { remembersNews: true }))).position.state;
    const repeated = takeUp(payment('voiding', { remembersNews: true })).position.state;
    for (const state of [doubted, repeated]) {
      const { state: held } = transition(state, { type: 'stepDeclined', reason: 'no' }, now);
      expect(nextDeadline(held)?.event).toEqual({ type: 'pollCameDue' });
      const { state: read } = transition(held, { type: 'pollCameDue' }, now);
      expect(nextDeadline(read)).toEqual({
        at: now + patience.outcomeHorizonMs,
        event: { type: 'pollCameDue' },
      });
    }
  });

  it('records it in its timeline', () => {
    const { position, entry } = takeUp(payment('authorized'));
    expect(position.version).toBe(8);
    expect(entry).toMatchObject({ version: 8, event: 'runRestarted', from: 'authorized', to: 'authorized' });
  });
});
