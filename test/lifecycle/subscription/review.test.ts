import { possibleStepDecisions } from '#workflows/lifecycle/step';
import { describe, expect, it } from 'vitest';
import {
  eventOnWord,
  isReadRequired,
  type StateChange,
  type SubscriptionEvent,
  type SubscriptionState,
  transition,
} from '#workflows/lifecycle/subscription';
import { after, inDoubt, now, order, sampleEvents, subscription } from './sample-subscriptions.js';

const change = (type: StateChange['type']): StateChange => ({
  type,
  commandId: 'cmd_1',
  note: 'x',
  from: 'active',
});

describe('a subscription under review', () => {
  const decided = {
    type: 'reviewDecided',
    commandId: 'cmd_9',
    reason: 'seen',
    decision: 'happened',
  } as const;
  const executing = { ...subscription('executing'), status: 'needs_review' } as const;

  it('checks a decision at the provider, and accepts no other word', () => {
    const state = subscription('needs_review');
    expect(possibleStepDecisions(state)).toEqual(['happened', 'did_not_happen']);
    expect(possibleStepDecisions(subscription('suspending'))).toEqual([]);
    const { type: _type, ...verified } = decided;
    const { state: waiting, ...result } = transition(state, decided, now);
    expect(result).toEqual({ kind: 'moved', effect: { type: 'verifyDecision', decided: verified } });
    expect(waiting).toBe(state);
    const keep = { ...decided, decision: 'keep' } as unknown as SubscriptionEvent;
    expect(transition(state, keep, now)).toMatchObject({ kind: 'refused' });
  });

  it('returns to the status before its change, and is read, when the change is decided as undone', () => {
    const undone = sampleEvents.stepDecidedUndone;
    const { state, ...result } = transition(subscription('needs_review'), undone, now);
    expect(result).toEqual({ kind: 'moved', effect: { type: 'observe' } });
    expect(state).toMatchObject({ status: 'active', reason: undone.reason });
    expect(state).not.toHaveProperty('openStep');
    expect(transition(executing, undone, now).state).toMatchObject({
      status: 'declined',
      reason: undone.reason,
    });
  });

  it.each([
    ['creating', sampleEvents.agreementCreated, 'awaiting_approval'],
    ['creating', sampleEvents.creationLost, 'creating'],
    ['reactivating', sampleEvents.agreementReactivated, 'active'],
    ['cancelling', sampleEvents.agreementCancelled, 'cancelled'],
  ] as const)('goes on once the outcome of its step is known: %s, %o', (status, event, then) => {
    const reviewed = { ...inDoubt(subscription(status)), status: 'needs_review' } as const;
    expect(transition(reviewed, event, now).state.status).toBe(then);
  });

  it('relies on the operator’s word when the provider is read afterwards, and never when no read would follow', () => {
    expect(eventOnWord(change('suspendAgreement'))).toEqual({ type: 'agreementSuspended' });
    expect(eventOnWord(change('reactivateAgreement'))).toEqual({ type: 'agreementReactivated' });
    expect(eventOnWord(change('cancelAgreement'))).toBeUndefined();
    expect(eventOnWord({ type: 'executeAgreement' })).toBeUndefined();
    expect(isReadRequired({ type: 'executeAgreement' })).toBe(true);
    expect(isReadRequired(change('cancelAgreement'))).toBe(false);
  });
});

/** Its execution was sent, and an operator is asked what became of it. */
function reviewed(asked: { endsUnsent?: true } = { endsUnsent: true }): SubscriptionState {
  const doubted = inDoubt(subscription('executing', { order: { ...order, ...asked } }));
  return { ...doubted, status: 'needs_review' };
}

describe('what a payer says while an operator is asked about the execution', () => {
  const cancelled = { type: 'payerCancelled' } as const;
  const approved = { type: 'payerApproved' } as const;
  const { approvalFoundMissing, stepDecidedUndone, stepProvedUndone } = sampleEvents;
  it('leaves it under review, and the last word counts', () => {
    const waiting = after(reviewed(), cancelled);
    expect(waiting).toEqual({ ...reviewed(), isCancelWaiting: true });
    expect(after(reviewed(), approved)).toEqual({ ...reviewed(), isReturnWaiting: true });
    expect(after(waiting, approved)).toEqual({ ...reviewed(), isReturnWaiting: true });
    expect(after(waiting, approved, cancelled)).toMatchObject({
      status: 'needs_review',
      isCancelWaiting: true,
    });
  });

  it('ends it as cancelled if it was not executed, by proof or by decision', () => {
    const ended = { status: 'cancelled', reason: 'The payer cancelled.' };
    const waiting = after(reviewed(), cancelled);
    expect(after(waiting, stepDecidedUndone)).toMatchObject(ended);
    // The activity of the repetition sends nothing, and answers so.
    expect(after(waiting, stepProvedUndone)).toMatchObject({ status: 'executing', isCancelWaiting: true });
    expect(after(waiting, stepProvedUndone, approvalFoundMissing)).toMatchObject(ended);
    expect(after(waiting, approvalFoundMissing)).toMatchObject(ended);
  });

  it('comes too late if it was executed', () => {
    const active = after(reviewed(), cancelled, sampleEvents.agreementExecuted);
    expect(active.status).toBe('active');
    expect(active).not.toHaveProperty('isCancelWaiting');
  });

  it('has it executed again if the payer has approved since', () => {
    const again = after(reviewed(), cancelled, approved);
    expect(after(again, approvalFoundMissing)).toMatchObject({ status: 'executing' });
    expect(after(again, stepDecidedUndone).status).toBe('declined');
  });

  it('does not cancel it by a cancellation that no payer has made', () => {
    const unfounded = { ...stepDecidedUndone, isCancelUnfounded: true } as const;
    expect(after(reviewed(), cancelled, unfounded)).toMatchObject({
      status: 'declined',
      reason: stepDecidedUndone.reason,
    });
  });

  it('changes no review of an older order, nor of anything else', () => {
    expect(transition(reviewed({}), cancelled, now).kind).toBe('stale');
    expect(after(reviewed({}), approved).status).toBe('executing');
    const kept = { ...reviewed({}), isCancelWaiting: true };
    expect(after(kept, stepDecidedUndone).status).toBe('declined');
    const changing = subscription('needs_review', { order: { ...order, endsUnsent: true } });
    for (const event of [cancelled, approved]) expect(transition(changing, event, now).kind).toBe('stale');
  });
});
