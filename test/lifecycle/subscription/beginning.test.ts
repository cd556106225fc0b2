import { describe, expect, it } from 'vitest';
import { nextDeadline } from '#workflows/lifecycle/subscription/deadlines.js';
import { feePaid, feeUnclear, feeUnpaid, startPassed } from '#workflows/lifecycle/subscription/rules.js';
import {
  type SubscriptionEvent,
  type SubscriptionState,
  allowedActions,
  transition,
} from '#workflows/lifecycle/subscription';
import {
  after,
  day,
  facts,
  inDoubt,
  inPhase,
  now,
  order,
  observed,
  onLastAttempt,
  patience,
  sampleEvents,
  subscription,
} from './sample-subscriptions.js';

function executing(more: { endsUnsent?: true }): SubscriptionState {
  return subscription('executing', { order: { ...order, ...more } });
}

function putOff(state: SubscriptionState): SubscriptionState {
  return transition(state, { type: 'stepDeferred', retryAt: now + 1_000 }, now).state;
}

function found(shown: string): SubscriptionEvent {
  return { type: 'agreementExecuted', facts: facts(shown) };
}

describe('the beginning of a subscription', () => {
  it('says that the setup fee is owed, or that it has ended the agreement', () => {
    const executing = subscription('executing');
    const owing = transition(
      executing,
      { type: 'agreementExecuted', facts: facts('Active', { outstandingMinor: 500 }) },
      now,
    );
    expect(owing.state).toMatchObject({
      status: 'active',
      reason: 'The setup fee was not paid; 5.00 USD outstanding.',
    });
  });

  it.each([
    ['found cancelled when it is executed', after(subscription('executing'), found('Cancelled'))],
    [
      'cancelled while it is pending',
      observed(subscription('pending'), facts('Cancelled', { updatedAt: now })).state,
    ],
  ])('says that the setup fee was not paid only when the list of payments shows none: %s', (_what, ended) => {
    expect(ended).toMatchObject({ status: 'cancelled', reason: feeUnclear });
    const settled = now + patience.outcomeHorizonMs;
    const shown = facts('Cancelled', { updatedAt: now });
    const read = (at: number, hasPaid: boolean) =>
      transition(
        transition(ended, { type: 'pollCameDue' }, at).state,
        { type: 'agreementObserved', facts: shown, book: { hasPaid } },
        at,
      ).state;
    expect(read(now, false).reason ?? ended.reason).toBe(feeUnclear);
    expect(read(settled, false).reason).toBe(feeUnpaid);
    expect(read(now, true).reason).toBe(feePaid);
  });

  it('ends once its execution is found too late, and only by what its attempts show', () => {
    const startsAt = now + day;
    const bounded = {
      order: { ...order, approvalBy: startsAt, executeBefore: startsAt, provesLapse: true },
    } as const;
    const awaiting = subscription('awaiting_approval', bounded);
    const { approvalFoundMissing, agreementExecuted } = sampleEvents;
    for (const type of ['payerApproved', 'approvalTimedOut', 'pollCameDue'] as const) {
      const tried = transition(awaiting, { type }, startsAt);
      expect(tried).toMatchObject({ effect: { type: 'perform', step: { type: 'executeAgreement' } } });
      const late = transition(tried.state, approvalFoundMissing, startsAt);
      expect(late).toEqual({ kind: 'moved', state: late.state });
      expect(late.state).toMatchObject({ status: 'lapsed', reason: startPassed });
      expect(transition(tried.state, agreementExecuted, startsAt).state.status).toBe('active');
    }
    const undone = inDoubt(subscription('executing', bounded));
    expect(transition(undone, { type: 'stepProvedUndone' }, startsAt).state.status).toBe('executing');
    expect(
      transition(subscription('executing', bounded), approvalFoundMissing, startsAt - 1).state.status,
    ).toBe('awaiting_approval');
  });

  it('goes on waiting for its payer when the provider cannot be brought to execute it, with ever longer waits', () => {
    const undone = sampleEvents.stepProvedUndone;
    const waits = [1, 2, 3].map((polls) => {
      const bounded = { order: { ...order, approvalBy: now + day }, approvalPolls: polls };
      const executing = onLastAttempt(inDoubt(subscription('executing', bounded)));
      const { state } = transition({ ...executing, isReturnWaiting: true }, undone, now);
      expect(state).toMatchObject({ status: 'awaiting_approval', approvalPolls: polls + 1 });
      expect(state.reason).toMatch(/proved that the execution of the agreement did not happen/);
      expect(state.openStep).toBeUndefined();
      return (nextDeadline(state)?.at ?? 0) - now;
    });
    expect(waits).toEqual([4, 8, 16].map((times) => times * patience.firstPollMs));
  });

  it('can be cancelled while its execution is put off, because nothing was sent', () => {
    const deferred = putOff(executing({ endsUnsent: true }));
    expect(allowedActions(deferred, now)).toContain('cancel');
    const { state } = transition(deferred, sampleEvents.cancelRequested, now);
    expect(state).toMatchObject({ status: 'cancelled', reason: 'It was cancelled before it was executed.' });
    expect(state.openStep).toBeUndefined();
    // Neither one that is under way, nor one of an older order, nor one that a lost run may have sent.
    const resumed = { ...deferred, openStep: { ...deferred.openStep!, isResumed: true } } as const;
    for (const other of [executing({ endsUnsent: true }), putOff(executing({})), resumed])
      expect(transition(other, sampleEvents.cancelRequested, now).kind).toBe('refused');
  });

  it('is executed again when the time for the approval is over, until the provider answers or its start has come', () => {
    const startsAt = now + day;
    const bounded = {
      order: { ...order, approvalBy: now, executeBefore: startsAt, provesLapse: true },
    } as const;
    const executing = onLastAttempt(inDoubt(subscription('executing', { ...bounded, lapsed: true })));
    const undone = sampleEvents.stepProvedUndone;
    expect(transition(executing, undone, startsAt - 1)).toMatchObject({
      state: { status: 'executing' },
      effect: { type: 'perform', step: { type: 'executeAgreement' } },
    });
    expect(transition(executing, undone, startsAt).state.status).toBe('declined');
  });

  it('of an older order ends at its start by the clock: earlier cycles would be billed at once', () => {
    const startsAt = now + day;
    const bounded = { order: { ...order, approvalBy: startsAt, executeBefore: startsAt } };
    const awaiting = subscription('awaiting_approval', bounded);
    const approved = { type: 'payerApproved' } as const;
    expect(transition(awaiting, approved, startsAt - 1)).toMatchObject({ effect: { type: 'perform' } });
    for (const event of [approved, { type: 'approvalTimedOut' }, { type: 'pollCameDue' }] as const) {
      const late = transition(awaiting, event, startsAt);
      expect(late).toEqual({ kind: 'moved', state: late.state });
      expect(late.state).toMatchObject({ status: 'lapsed', reason: startPassed });
    }
    const repeated = transition(
      inDoubt(subscription('executing', bounded)),
      { type: 'stepProvedUndone' },
      startsAt,
    );
    expect(repeated.state).toMatchObject({ status: 'lapsed', reason: startPassed });
    const putOff = inPhase(subscription('executing', bounded), 'retry');
    expect(transition(putOff, { type: 'stepCameDue' }, startsAt).state.status).toBe('lapsed');
    // Before the clock decides it is asked once more, as in histories of that time.
    const missing = sampleEvents.approvalFoundMissing;
    expect(transition(subscription('executing', bounded), missing, startsAt).state.status).toBe(
      'awaiting_approval',
    );
    const inQuestion = inDoubt(subscription('executing', bounded));
    expect(transition(inQuestion, { type: 'stepCameDue' }, startsAt)).toMatchObject({
      effect: { type: 'lookUp' },
    });
  });

  it('ends when its payer cancels while the engine checks for an approval', () => {
    const missing = sampleEvents.approvalFoundMissing;
    const turned = after(subscription('executing'), { type: 'payerCancelled' });
    expect(after(turned, missing)).toMatchObject({ status: 'cancelled', reason: 'The payer cancelled.' });
    expect(after(turned, { type: 'payerApproved' }, missing).status).toBe('executing');
    expect(after(turned, sampleEvents.agreementExecuted).status).toBe('active');
  });

  it('goes on when no row has the cancellation: somebody else sent it', () => {
    const unfounded = { ...sampleEvents.approvalFoundMissing, isCancelUnfounded: true } as const;
    const turned = after(subscription('executing'), { type: 'payerCancelled' });
    expect(after(turned, unfounded)).toMatchObject({ status: 'awaiting_approval' });
    expect(after(turned, unfounded)).not.toHaveProperty('isCancelWaiting');
    // The payer's return before it still counts.
    const returned = after(subscription('executing'), { type: 'payerApproved' }, { type: 'payerCancelled' });
    expect(after(returned, unfounded).status).toBe('executing');
  });

  it('is not ended by a cancellation that came before the payer approved again', () => {
    const missing = sampleEvents.approvalFoundMissing;
    const left = { ...subscription('awaiting_approval'), isCancelWaiting: true };
    expect(after(left, { type: 'payerApproved' }, missing).status).toBe('awaiting_approval');
    expect(after(left, { type: 'pollCameDue' }, missing).status).toBe('cancelled');
  });

  it('treats an unknown state as one in which the provider is still deciding', () => {
    const executing = subscription('executing');
    expect(
      transition(executing, { type: 'agreementExecuted', facts: facts('Frozen') }, now).state.status,
    ).toBe('pending');
    expect(observed(subscription('active'), facts('Frozen', { updatedAt: now })).kind).toBe('stale');
  });

  it('lapses at the last check, and not while the payer is coming back', () => {
    const missing = sampleEvents.approvalFoundMissing;
    const lastTry = after(subscription('awaiting_approval'), { type: 'approvalTimedOut' });
    expect(after(lastTry, missing).status).toBe('lapsed');
    expect(after(lastTry, { type: 'payerApproved' }, missing)).toMatchObject({
      status: 'executing',
      openStep: { number: 4 },
    });
    expect(after(subscription('executing'), { ...missing, isOver: true }).status).toBe('lapsed');
  });

  it('checks at growing intervals, up to the longest, whether a silent payer has approved', () => {
    const awaiting = subscription('awaiting_approval', {
      lastPollAt: now,
      order: { ...order, approvalBy: now + day },
    });
    const waits = [0, 1, 5, 7, 20].map(
      (approvalPolls) => (nextDeadline({ ...awaiting, approvalPolls })?.at ?? 0) - now,
    );
    const { longestPollMs } = patience;
    expect(waits).toEqual([30_000, 60_000, 960_000, longestPollMs, longestPollMs]);
    expect(nextDeadline({ ...awaiting, approvalPolls: 20, lastPollAt: now + day - 1 })).toEqual({
      at: now + day,
      event: { type: 'approvalTimedOut' },
    });
  });

  it('gives up an agreement that cannot be prepared, and never calls an execution undone without proof', () => {
    const last = subscription('creating');
    const tired = {
      ...last,
      openStep: { ...last.openStep, attempts: patience.maxAttempts },
    } as SubscriptionState;
    expect(after(tired, { type: 'creationLost' })).toMatchObject({ status: 'declined' });
    const doubtful = after(subscription('executing'), sampleEvents.outcomeUnknown);
    const { state } = transition(doubtful, { type: 'lookInconclusive' }, now + patience.reviewAfterMs);
    expect(state).toMatchObject({ status: 'needs_review', openStep: { phase: 'doubt' } });
    expect(transition(state, sampleEvents.agreementExecuted, now).state.status).toBe('active');
  });
});

it('the last execution of an order without a latest instant ends the subscription when it is given up', () => {
  const lapsed = onLastAttempt(inDoubt(subscription('executing', { lapsed: true })));
  expect(transition(lapsed, sampleEvents.stepProvedUndone, now).state.status).toBe('declined');
});

const last = (executeBefore: number) =>
  onLastAttempt(subscription('executing', { order: { ...order, executeBefore, provesLapse: true } }));

it('an execution that is given up after the start ends the subscription, and is tried again before it', () => {
  expect(putOff(last(now)).status).toBe('declined');
  expect(putOff(last(now + 1)).status).toBe('awaiting_approval');
});
