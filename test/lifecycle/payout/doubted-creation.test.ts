import { describe, expect, it } from 'vitest';
import { nextDeadline } from '#workflows/lifecycle/payout/deadlines.js';
import { isReadRequired, transition } from '#workflows/lifecycle/payout';
import { cancellation, creation, day, inDoubt, now, payout, sampleEvents, second } from './sample-payouts.js';

describe('a creation in doubt', () => {
  it('is sent again until the provider would no longer recognize a repeat, and then goes to review', () => {
    const doubted = payout('creating', { openStep: inDoubt(creation) });
    expect(transition(doubted, sampleEvents.stepCameDue, now + 28 * day)).toMatchObject({
      effect: { type: 'perform' },
    });
    const { state } = transition(doubted, sampleEvents.stepCameDue, now + 29 * day);
    expect(state.status).toBe('needs_review');
    expect(nextDeadline(state)).toBeUndefined();
    // The person decides about it.
    expect(state.openStep).toMatchObject({ step: creation, phase: 'doubt', nextAt: now + 29 * day });
  });

  it.each([
    ['while it can be sent again', -1, true],
    ['once it is not sent again', 0, false],
  ])('is decided by the provider alone %s', (_, ms, isRequired) => {
    const doubted = payout('creating', { openStep: inDoubt(creation) });
    const at = now + 29 * day + ms;
    expect(isReadRequired(doubted, creation, at)).toBe(isRequired);
    expect(transition(doubted, sampleEvents.stepCameDue, at)).toMatchObject({
      state: { status: isRequired ? 'creating' : 'needs_review' },
    });
  });

  it('goes to review also from a request that was put off, and none is sent from there', () => {
    const putOff = payout('creating', { openStep: { ...inDoubt(creation), phase: 'retry' } });
    const late = transition(putOff, sampleEvents.stepCameDue, now + 29 * day);
    expect(late).toEqual({ kind: 'moved', state: late.state });
    expect(late.state).toMatchObject({
      status: 'needs_review',
      openStep: { phase: 'doubt' },
      reason: expect.stringContaining('the provider no longer tells a repeat of it apart'),
    });
  });

  it('ends with the batch that is found, under whose id it is read from then on', () => {
    const { providerBatchId: _none, ...doubted } = payout('creating', { openStep: inDoubt(creation) });
    const found = { type: 'payoutCreated', providerBatchId: 'BATCH-9' } as const;
    expect(transition(doubted, found, now).state).toMatchObject({
      status: 'processing',
      providerBatchId: 'BATCH-9',
    });
  });

  it('whose next request comes too late still has the deadline that gives it to a person', () => {
    const late = { ...inDoubt(creation), nextAt: now + 30 * day };
    expect(nextDeadline(payout('creating', { openStep: late }))).toEqual({
      at: now + 30 * day,
      event: { type: 'stepCameDue' },
    });
    // A cancellation under review is looked up for as long as the review lasts.
    const cancelling = { openStep: { ...late, step: cancellation }, lastPollAt: now + 60 * day };
    expect(nextDeadline(payout('needs_review', cancelling))?.event.type).toBe('stepCameDue');
  });

  it('goes to review at the stated time, and is still sent again', () => {
    const reviewAt = now + 300 * second;
    const [begun] = [payout('creating')];
    const doubted = transition(begun, { ...sampleEvents.outcomeUnknown, reviewAt }, now).state;
    const again = transition(
      { ...doubted, openStep: { ...doubted.openStep!, nextAt: reviewAt + 1 } },
      { ...sampleEvents.outcomeUnknown, reviewAt: reviewAt + 9 },
      now + second,
    ).state;
    // It counts from the first lost answer on.
    expect(again.openStep?.reviewAt).toBe(reviewAt);
    const { state } = transition(again, sampleEvents.reviewCameDue, reviewAt);
    expect(state.status).toBe('needs_review');
    expect(nextDeadline(state)?.event.type).toBe('stepCameDue');
  });

  it('is sent again at once after a check, unless the provider has asked for a pause', () => {
    const doubted = transition(payout('creating'), sampleEvents.outcomeUnknown, now).state;
    const check = { ...sampleEvents.providerNotified, isCheck: true } as const;
    expect(transition(doubted, check, now)).toMatchObject({ effect: { type: 'perform' } });
    const putOff = transition(doubted, { type: 'stepDeferred', retryAt: now + 60 * second }, now).state;
    expect(transition(putOff, check, now + 59 * second).kind).toBe('stale');
    expect(transition(putOff, check, now + 60 * second)).toMatchObject({ effect: { type: 'perform' } });
    expect(transition(doubted, sampleEvents.providerNotified, now).kind).toBe('stale');
  });

  it('goes to review after too long, and is still sent again', () => {
    const doubted = payout('creating', { openStep: inDoubt(creation) });
    const later = now + 301 * second;
    const { state } = transition(doubted, sampleEvents.outcomeUnknown, later);
    expect(state.status).toBe('needs_review');
    expect(state.reason).toContain('cannot be proved');
    expect(nextDeadline(state)?.event.type).toBe('stepCameDue');
  });
});

describe('a record without its step, which only a foreign hand can leave', () => {
  const { openStep: _lost, ...creating } = payout('creating');
  const { providerBatchId: _none, ...unsent } = payout('needs_review');
  const check = { ...sampleEvents.providerNotified, isCheck: true } as const;

  it.each([
    ['stepDeferred', sampleEvents.stepDeferred],
    ['outcomeUnknown', sampleEvents.outcomeUnknown],
    ['stepCameDue', sampleEvents.stepCameDue],
    ['stepDecidedUndone', sampleEvents.stepDecidedUndone],
    ['reviewCameDue', sampleEvents.reviewCameDue],
    ['a check', check],
  ])('sends nothing and does not fail, whatever comes: %s', (_what, event) => {
    for (const state of [creating, unsent])
      expect(transition(state, event, now)).toEqual({ kind: 'stale', state });
  });

  it('waits for a person', () => {
    expect(nextDeadline(unsent)).toBeUndefined();
  });
});
