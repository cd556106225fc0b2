import { describe, expect, it } from 'vitest';
import { nextDeadline } from '#workflows/lifecycle/payout/deadlines.js';
import { lookBeforeRefusal, payoutLifecycle, restartFrom } from '#workflows/lifecycle/payout/lifecycle.js';
import { type PayoutFacts, type PayoutState, transition } from '#workflows/lifecycle/payout';
import {
  cancellation,
  creation,
  ended,
  inDoubt,
  now,
  open,
  order,
  payout,
  sampleEvents,
  second,
} from './sample-payouts.js';

const observed = (state: PayoutState, facts: PayoutFacts) =>
  transition(state, { type: 'payoutObserved', facts }, now);

const reported = (state: PayoutState) =>
  transition(state, sampleEvents.providerNotified, now).state.readAt ?? 0;
const poll = (state: PayoutState) => transition(state, sampleEvents.pollCameDue, now);
const look = (state: PayoutState) => lookBeforeRefusal(state, sampleEvents.itemCancelRequested, now);

describe('a read of a batch', () => {
  it.each(['SUCCESS', 'DENIED', 'CANCELED'])(
    'is followed by reads of its items, the last after every item could have sent its event: %s',
    (batchStatus) => {
      const { state, kind, ...rest } = observed(payout('processing'), { batchStatus });
      expect([kind, state.status, rest]).toEqual([
        'moved',
        'settling',
        { effect: { type: 'observe', items: 'all' } },
      ]);
      expect(state.readAt).toBeGreaterThan(now);
    },
  );

  it.each(['PENDING', 'PROCESSING', 'ON_MARS'])('tells nothing new while it is %s', (batchStatus) => {
    expect(observed(payout('processing'), { batchStatus }).kind).toBe('stale');
  });

  it('continues when one activity had no time for more', () => {
    const result = observed(payout('settling'), { batchStatus: 'SUCCESS', nextPage: 7 });
    expect(result).toMatchObject({ state: { nextPage: 7 }, effect: { type: 'observe', items: 'all' } });
    const last = observed(result.state, { batchStatus: 'SUCCESS', totals: open });
    expect(last.kind).toBe('moved');
    expect(last.state).not.toHaveProperty('nextPage');
  });

  it.each([
    ['SUCCESS', 'completed'],
    ['DENIED', 'denied'],
    ['CANCELED', 'cancelled'],
  ])('ends it, called %s, as %s once every item has ended', (batchStatus, status) => {
    expect(observed(payout('settling'), { batchStatus, totals: open }).state.status).toBe('settling');
    expect(observed(payout('settling'), { batchStatus, totals: ended }).state.status).toBe(status);
  });

  it('records once what contradicts the records, beside what it shows', () => {
    const facts = { batchStatus: 'SUCCESS', totals: open, contradiction: 'Item a is shown otherwise.' };
    const first = observed(payout('settling'), facts);
    expect(first).toMatchObject({ kind: 'conflict', reason: facts.contradiction });
    expect(observed(first.state, facts).kind).toBe('stale');
  });

  it('is not taken for a contradiction where it has none, or one that is recorded', () => {
    const recorded = payout('settling', { contradiction: 'Item a is shown otherwise.' });
    const other = { batchStatus: 'SUCCESS', totals: { unclaimed: { count: 3, minor: 3_000 } } };
    expect(observed(recorded, { batchStatus: 'SUCCESS', totals: open }).kind).toBe('stale');
    expect(observed(recorded, other).kind).toBe('moved');
    expect(observed(recorded, other).state.contradiction).toBe(recorded.contradiction);
    const { contradiction } = recorded;
    expect(observed(recorded, { ...other, ...(contradiction !== undefined && { contradiction }) }).kind).toBe(
      'moved',
    );
  });

  it('ends a payout whose items were known to have ended while a cancellation was open', () => {
    const { state } = observed(payout('settling', { totals: ended }), {
      batchStatus: 'SUCCESS',
      totals: ended,
    });
    expect(state.status).toBe('completed');
  });

  it('keeps what is known of the items of an ended payout if it shows none of them', () => {
    const facts = { batchStatus: 'SUCCESS', contradiction: 'Item a is shown otherwise.' };
    const known = payout('completed', { totals: ended });
    expect(observed(known, facts)).toMatchObject({ kind: 'conflict', state: { totals: ended } });
  });

  it('tells nothing new of items that it does not show', () => {
    for (const status of ['settling', 'completed'] as const)
      expect(observed(payout(status), { batchStatus: 'SUCCESS' }).kind).toBe('stale');
  });

  it('leaves reason and polls of a payout whose status it does not change', () => {
    const polled = payout('settling', { polls: 5, lastPollAt: now - second, reason: 'It was refused.' });
    const totals = { success: { count: 1, minor: 1_000 }, unclaimed: { count: 2, minor: 2_000 } };
    const { state } = observed(polled, { batchStatus: 'SUCCESS', totals });
    expect(state).toMatchObject({ totals, polls: 5, lastPollAt: now - second, reason: 'It was refused.' });
  });

  it('after the end goes on page by page, and is over with the last one', () => {
    const first = observed(payout('completed'), { batchStatus: 'SUCCESS', nextPage: 7 });
    expect(first).toMatchObject({ state: { nextPage: 7 }, effect: { type: 'observe', items: 'all' } });
    const last = observed(first.state, { batchStatus: 'SUCCESS', totals: ended });
    expect([last.kind, last.state.nextPage]).toEqual(['moved', undefined]);
  });

  it('shows other totals where only the number of items or only their sum is another', () => {
    for (const success of [
      { count: 2, minor: 3_000 },
      { count: 3, minor: 2_000 },
    ]) {
      const { state } = observed(payout('completed'), { batchStatus: 'SUCCESS', totals: { success } });
      expect(state.totals).toEqual({ success });
    }
  });

  it('shows in the totals of an ended payout what was returned, and the payout stays ended', () => {
    const totals = { success: { count: 2, minor: 2_000 }, refunded: { count: 1, minor: 1_000 } };
    const { state } = observed(payout('completed'), { batchStatus: 'SUCCESS', totals });
    expect([state.status, state.totals]).toEqual(['completed', totals]);
  });
});

describe('a read that is due', () => {
  it('waits longer the more calls it takes', () => {
    const large = { ...order, items: 10_000 };
    expect(reported(payout('settling')) - now).toBe(second);
    expect(reported(payout('settling', { order: large })) - now).toBe(40 * second);
  });

  it('shows all items when an event asked for it, and otherwise those that are open', () => {
    expect(poll(payout('settling', { readAt: now }))).toMatchObject({ effect: { items: 'all' } });
    expect(poll(payout('settling', { readAt: now })).state).not.toHaveProperty('readAt');
    expect(poll(payout('settling'))).toMatchObject({ effect: { items: 'open' } });
  });

  it('is made again when it fails, and a poll counts for the wait until the next', () => {
    const failed = transition(payout('settling', { lastPollAt: now }), sampleEvents.observationFailed, now);
    expect(failed.state.readAt).toBe(now + order.patience.firstPollMs);
    expect(poll(payout('settling', { polls: 2 })).state.polls).toBe(3);
  });

  it('is still owed by a run that continues from the rows', () => {
    const { position } = restartFrom({ state: payout('settling'), version: 4 }, now + second);
    expect([position.version, nextDeadline(position.state)?.at]).toEqual([5, now + second]);
  });
});

describe('a cancellation that does not fit the state', () => {
  it('is refused only after a read, because the rows can be ahead of the run', () => {
    expect(look(payout('processing'))).toEqual({ type: 'observe', items: 'all' });
    expect(look(payout('settling', { openStep: inDoubt(cancellation) }))).toMatchObject({ type: 'lookUp' });
    expect(look(payout('settling'))).toBeUndefined();
    expect(look(payout('completed'))).toBeUndefined();
    expect(look(payout('creating', { openStep: inDoubt(creation) }))).toBeUndefined();
  });
});

describe('an event of an item after its end', () => {
  const horizon = order.patience.outcomeHorizonMs;
  const givenBack = { ...sampleEvents.providerNotified, isOfEndedItem: true } as const;
  const failed = sampleEvents.observationFailed;

  it.each(['completed', 'denied', 'cancelled'] as const)(
    'is read at once for a payout that is %s, and again once reads no longer lag',
    (status) => {
      const reported = transition(payout(status), givenBack, now);
      expect(reported).toMatchObject({ effect: { type: 'observe', items: 'all' } });
      expect(payoutLifecycle.owesAfterEnd?.(reported.state)).toBe(true);
      const { at = 0 } = nextDeadline(reported.state) ?? {};
      expect(at - now).toBeGreaterThanOrEqual(horizon);
      const confirmed = transition(reported.state, sampleEvents.pollCameDue, at);
      expect(confirmed).toMatchObject({ effect: { type: 'observe', items: 'all' } });
      expect(payoutLifecycle.owesAfterEnd?.(confirmed.state)).toBe(false);
    },
  );

  it('is read until that succeeds, from the first page on', () => {
    const reading = payout('completed', { isConfirming: true, nextPage: 7, polls: 2 });
    const { state } = transition(reading, failed, now);
    expect(nextDeadline(state)?.at).toBe(now + 4 * order.patience.firstPollMs);
    expect(state).not.toHaveProperty('nextPage');
    expect(state).not.toHaveProperty('isConfirming');
    const open = transition(payout('settling', { isConfirming: true }), failed, now).state;
    expect(
      transition(payout('settling', { ...open }), sampleEvents.pollCameDue, open.confirmAt ?? 0),
    ).toMatchObject({
      state: { isConfirming: true },
      effect: { items: 'all' },
    });
  });

  it('is still owed a read when the payout ends before, unlike a read that other events asked for', () => {
    const reported = transition(payout('settling', { readAt: now + second }), givenBack, now).state;
    const { state } = observed(reported, { batchStatus: 'SUCCESS', totals: ended });
    expect([state.status, state.readAt, state.confirmAt]).toEqual([
      'completed',
      undefined,
      reported.confirmAt,
    ]);
    expect(nextDeadline(state)?.at).toBe(reported.confirmAt);
  });

  it('shares the read with events soon after, and not with those that could lag behind it', () => {
    const reported = transition(payout('settling', { readAt: now }), givenBack, now).state;
    expect(transition(reported, givenBack, now + horizon).kind).toBe('stale');
    const later = transition(reported, givenBack, now + horizon + 1).state;
    expect(later.confirmAt).toBeGreaterThanOrEqual(now + 2 * horizon + 1);
  });

  it('waits until all pages of the batch were read', () => {
    const reported = transition(payout('processing'), givenBack, now).state;
    const late = { ...reported, lastPollAt: now + 5 * horizon };
    expect(nextDeadline(late)?.at).toBeGreaterThan(now + 5 * horizon);
    expect(transition(late, sampleEvents.pollCameDue, now + 5 * horizon).state.confirmAt).toBe(
      reported.confirmAt,
    );
    const { state } = observed(late, { batchStatus: 'SUCCESS' });
    expect(transition(state, sampleEvents.pollCameDue, now + 5 * horizon).state.isConfirming).toBe(true);
  });
});
