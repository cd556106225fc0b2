import { possibleStepDecisions } from '#workflows/lifecycle/step';
import { describe, expect, it } from 'vitest';
import {
  eventOnWord,
  isReadRequired,
  type StateChange,
  type SubscriptionEvent,
  transition,
} from '#workflows/lifecycle/subscription';
import { now, sampleEvents, subscription } from './sample-subscriptions.js';

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

  it('relies on the operator’s word when the provider is read afterwards, and never when no read would follow', () => {
    expect(eventOnWord(change('suspendAgreement'))).toEqual({ type: 'agreementSuspended' });
    expect(eventOnWord(change('reactivateAgreement'))).toEqual({ type: 'agreementReactivated' });
    expect(eventOnWord(change('cancelAgreement'))).toBeUndefined();
    expect(eventOnWord({ type: 'executeAgreement' })).toBeUndefined();
    expect(isReadRequired({ type: 'executeAgreement' })).toBe(true);
    expect(isReadRequired(change('cancelAgreement'))).toBe(false);
  });
});
