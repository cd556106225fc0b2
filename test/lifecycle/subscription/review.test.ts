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

describe('a subscription before an operator', () => {
  const decided = {
    type: 'reviewDecided',
    commandId: 'cmd_9',
    reason: 'seen',
    decision: 'happened',
  } as const;
  const executing = { ...subscription('executing'), status: 'needs_review' } as const;

  it('holds what he says against the provider, and takes no other word', () => {
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

  it('goes back to where its change began from, and is read, once that is decided not to have happened', () => {
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

  it('stands on his word alone where the provider is read afterwards, and never where nobody would look again', () => {
    expect(eventOnWord(change('suspendAgreement'))).toEqual({ type: 'agreementSuspended' });
    expect(eventOnWord(change('reactivateAgreement'))).toEqual({ type: 'agreementReactivated' });
    expect(eventOnWord(change('cancelAgreement'))).toBeUndefined();
    expect(eventOnWord({ type: 'executeAgreement' })).toBeUndefined();
    expect(isReadRequired({ type: 'executeAgreement' })).toBe(true);
    expect(isReadRequired(change('cancelAgreement'))).toBe(false);
  });
});
