import { describe, expect, it } from 'vitest';
import { transition } from '#workflows/lifecycle/payment';
import { nextDeadline } from '#workflows/lifecycle/payment/deadlines.js';
import {
  after,
  authorization,
  day,
  facts,
  hour,
  now,
  orderedAt,
  patience,
  payment,
  second,
} from './sample-payments.js';

/** Case 12 of the failure list. */
describe('a payer who never comes back', () => {
  it('is polled for at doubling intervals, up to the longest', () => {
    let state = payment('awaiting_approval', { approvalBy: now + 30 * day });
    const waits: number[] = [];
    for (let i = 0; i < 9; i += 1) {
      const { at = 0, event } = nextDeadline(state) ?? {};
      waits.push(at - state.lastPollAt);
      state = after(state, [event ?? { type: 'pollCameDue' }, at]);
    }
    const minute = 60 * second;
    expect(waits).toEqual([
      minute,
      2 * minute,
      4 * minute,
      8 * minute,
      16 * minute,
      32 * minute,
      hour,
      hour,
      hour,
    ]);
  });

  it('lets the payment expire when the approval is still missing at the last instant', () => {
    const late = after(payment('awaiting_approval'), [{ type: 'approvalTimedOut' }, orderedAt + 3 * hour]);
    const { authorization: _none, ...waiting } = facts({ paymentState: 'created' });
    expect(after(late, [{ type: 'providerObserved', facts: waiting }, orderedAt + 3 * hour])).toMatchObject({
      status: 'expired',
      reason: 'The payer did not approve in time.',
    });
  });

  it('is found at the last read if he had approved', () => {
    const late = after(payment('awaiting_approval'), [{ type: 'approvalTimedOut' }, orderedAt + 3 * hour]);
    const { authorization: _none, ...approved } = facts({ paymentState: 'created', payerId: 'PAYER-1' });
    const executing = after(late, [{ type: 'providerObserved', facts: approved }, orderedAt + 3 * hour]);
    expect(executing.openStep?.step).toEqual({ type: 'executePayment', payerId: 'PAYER-1' });
    // The approval that the provider seemed to show was none: the time is up, and this must not go round for ever.
    expect(after(executing, [{ type: 'approvalFoundMissing' }, orderedAt + 3 * hour]).status).toBe('expired');
  });
});

describe('what a webhook tells of a hold', () => {
  const news = { type: 'providerNotified', eventType: 'PAYMENT.CAPTURE.COMPLETED', isNews: true } as const;

  it.each(['authorized', 'partially_captured'] as const)(
    'is read once more when reads no longer lag, and then no more: %s',
    (status) => {
      const reported = after(payment(status), [news]);
      const confirmed = nextDeadline(reported);
      expect(confirmed).toEqual({ at: now + patience.outcomeHorizonMs, event: { type: 'pollCameDue' } });
      const read = transition(reported, { type: 'pollCameDue' }, confirmed?.at ?? 0);
      expect(read).toMatchObject({ kind: 'moved', effect: { type: 'observe' } });
      expect(nextDeadline(read.state)?.event.type).toBe('honourPeriodNearedEnd');
    },
  );

  it('is not read once more for a payment that has ended, nor for messages of older versions', () => {
    const ended = after(
      payment('authorized'),
      [news],
      [
        {
          type: 'providerObserved',
          facts: facts({ authorization: { ...authorization, state: 'voided', changedAt: now } }),
        },
      ],
    );
    expect(ended.status).toBe('voided');
    expect(nextDeadline(ended)).toBeUndefined();
    const { isNews: _newer, ...older } = news;
    expect(nextDeadline(after(payment('authorized'), [older]))?.event.type).toBe('honourPeriodNearedEnd');
  });
});

describe('a read that failed', () => {
  it('is repeated by a poll, although a hold is otherwise not polled', () => {
    const reported = after(payment('authorized'), [
      { type: 'providerNotified', eventType: 'PAYMENT.AUTHORIZATION.VOIDED' },
    ]);
    expect(nextDeadline(reported)?.event.type).toBe('honourPeriodNearedEnd');
    const owing = after(reported, [{ type: 'observationFailed' }]);
    const poll = nextDeadline(owing);
    expect(poll).toEqual({ at: now + 2 * patience.firstPollMs, event: { type: 'pollCameDue' } });
    const looked = after(owing, [{ type: 'pollCameDue' }, poll!.at]);
    expect(nextDeadline(looked)?.event.type).toBe('honourPeriodNearedEnd');
  });
});
