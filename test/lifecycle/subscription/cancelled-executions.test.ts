import { describe, expect, it } from 'vitest';
import { type SubscriptionState, transition } from '#workflows/lifecycle/subscription';
import {
  day,
  inDoubt,
  now,
  onLastAttempt,
  order,
  sampleEvents,
  subscription,
} from './sample-subscriptions.js';

describe('an execution that was not made, and whose payer has cancelled meanwhile', () => {
  const startsAt = now + 3 * day;
  const started = { ...order, provesLapse: true, executeBefore: startsAt, startAt: startsAt } as const;
  const endings = [
    ['proved undone', sampleEvents.stepProvedUndone],
    ['put off', sampleEvents.stepDeferred],
  ] as const;
  const last = () =>
    onLastAttempt(inDoubt(subscription('executing', { order: started, isCancelWaiting: true })));

  it.each(endings)('ends as cancelled after its start, too: %s', (_how, event) => {
    const ended = transition(last(), { ...event, isCancelFounded: true }, startsAt);
    expect(ended.state).toMatchObject({ status: 'cancelled', reason: 'The payer cancelled.' });
    expect(ended).not.toHaveProperty('effect');
    const reviewed: SubscriptionState = { ...last(), status: 'needs_review' };
    expect(transition(reviewed, { ...event, isCancelFounded: true }, startsAt).state.status).toBe(
      'cancelled',
    );
  });

  it.each(endings)('is declined if no row has the cancellation: %s', (_how, event) => {
    expect(transition(last(), event, startsAt).state.status).toBe('declined');
  });

  it.each(endings)('goes on if the payer has approved again since: %s', (_how, event) => {
    const back = transition(last(), { type: 'payerApproved' }, now).state;
    expect(transition(back, { ...event, isCancelFounded: true }, now).state.status).toBe('awaiting_approval');
  });
});
