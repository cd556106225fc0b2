import { describe, expect, it } from 'vitest';
import { refusalIn } from '#workflows/lifecycle/lifecycle.js';
import { type PayoutEvent, type PayoutState, transition } from '#workflows/lifecycle/payout';
import { nameOfStep } from '#workflows/lifecycle/payout/cancellation.js';
import { runningStep } from '#workflows/lifecycle/step/open-step.js';
import {
  cancellation,
  creation,
  inDoubt,
  now,
  patience,
  payout,
  sampleEvents,
  second,
} from './sample-payouts.js';

const requested = sampleEvents.itemCancelRequested;
const underWay = { ...runningStep(1, cancellation, now), attempts: patience.maxAttempts - 1 };

const refusalOf = (state: PayoutState, event: PayoutEvent) => refusalIn(transition(state, event, now));

describe('the cancellation of an item', () => {
  it('is a step of its own command and item', () => {
    const begun = transition(payout('settling'), requested, now);
    expect(begun).toMatchObject({ effect: { type: 'perform', step: cancellation } });
    expect(begun.state.openStep?.step).toEqual(cancellation);
    expect([nameOfStep({ step: cancellation }), nameOfStep({ step: creation })]).toEqual(['cmd_1', 'create']);
  });

  it('is refused while another one is under way, or where nothing can be cancelled, in words', () => {
    expect(refusalOf(payout('settling', { openStep: underWay }), requested)).toEqual({
      code: 'another_in_progress',
      reason: 'Another item is being cancelled; ask again when it is.',
    });
    expect(refusalOf(payout('completed'), requested)).toEqual({
      code: 'not_allowed_in_state',
      reason: 'A payout that is completed has no item that could be cancelled.',
    });
    expect(refusalOf(payout('settling'), sampleEvents.reviewDecided)).toEqual({
      code: 'not_allowed_in_state',
      reason: 'A payout that is settling is not under review.',
    });
  });

  it('is given up once it was put off often enough, and the batch is read', () => {
    const { state } = transition(payout('settling', { openStep: underWay }), sampleEvents.stepDeferred, now);
    expect(state).toMatchObject({ status: 'settling', readAt: now + second });
    expect(state.reason).toContain('the cancellation of the item');
    expect(state).not.toHaveProperty('openStep');
  });

  it('keeps the read that events have asked for when its review ends with items left open', () => {
    const change = { openStep: inDoubt(cancellation), readAt: now + second };
    const answered = { ...sampleEvents.itemCancelled, totals: { unclaimed: { count: 1, minor: 1_000 } } };
    const { state } = transition(payout('needs_review', change), answered, now);
    expect(state).toMatchObject({ status: 'settling', readAt: now + second });
  });

  it('tells why an operator decided that it did not happen', () => {
    const reviewed = payout('needs_review', { openStep: inDoubt(cancellation) });
    expect(transition(reviewed, sampleEvents.stepDecidedUndone, now).state.reason).toBe('seen');
  });
});

describe('a check of a payout', () => {
  const check = { ...sampleEvents.providerNotified, isCheck: true } as const;

  it('reads it at once, and leaves the next poll where it was', () => {
    for (const status of ['processing', 'settling'] as const) {
      const checked = transition(payout(status, { polls: 2, lastPollAt: now }), check, now + second);
      expect(checked).toMatchObject({
        effect: { type: 'observe' },
        state: { polls: 2, lastPollAt: now },
      });
    }
  });

  it('looks for the outcome of a cancellation in doubt', () => {
    const doubted = payout('settling', { openStep: inDoubt(cancellation) });
    expect(transition(doubted, check, now)).toMatchObject({ effect: { type: 'lookUp' } });
  });
});
