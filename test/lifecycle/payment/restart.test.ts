import { describe, expect, it } from 'vitest';
import { nextDeadline } from '#workflows/lifecycle/payment/deadlines.js';
import { isTerminal, paymentStatuses, restartFrom } from '#workflows/lifecycle/payment';
import { inDoubt, now, patience, payment, settled } from './sample-payments.js';

const takeUp = (state: ReturnType<typeof payment>) => restartFrom({ state, version: 7 }, now);

describe('a payment whose run is gone', () => {
  it.each(paymentStatuses.filter((status) => !isTerminal(status)))(
    'that is %s does not wait for anybody in a new one',
    (status) => {
      const { state } = takeUp(payment(status)).position;
      expect(nextDeadline(state)?.at).toBeLessThanOrEqual(now + patience.firstLookMs);
    },
  );

  it('begins a call that was in flight again as the same attempt of the same step', () => {
    const before = payment('capturing');
    const { state } = takeUp(before).position;
    expect(state.openStep).toEqual({ ...before.openStep, phase: 'retry', nextAt: now });
    expect(nextDeadline(state)?.event).toEqual({ type: 'stepCameDue' });
  });

  it('goes on looking for a call in doubt when it would have', () => {
    const doubted = inDoubt(payment('capturing'));
    expect(takeUp(doubted).position.state).toEqual(doubted);
  });

  it('reads a hold, for what the old run was told of it is lost', () => {
    const { state } = takeUp(settled(payment('authorized'))).position;
    expect(nextDeadline(state)?.event).toEqual({ type: 'pollCameDue' });
  });

  it('tells of it in its story', () => {
    const { position, entry } = takeUp(payment('authorized'));
    expect(position.version).toBe(8);
    expect(entry).toMatchObject({ version: 8, event: 'runRestarted', from: 'authorized', to: 'authorized' });
  });
});
