import { describe, expect, it } from 'vitest';
import { type PaymentOrder, type PaymentStatus, transition } from '#workflows/lifecycle/payment';
import { nextDeadline } from '#workflows/lifecycle/payment/deadlines.js';
import {
  after,
  authorization,
  capture,
  day,
  facts,
  hour,
  inDoubt,
  now,
  orderedAt,
  patience,
  payment,
  reauthorizedAuthorization,
  second,
  toBeRepeated,
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

  it('is found at the last read if the payer had approved', () => {
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

describe.each([
  ['in doubt', inDoubt],
  ['put off', toBeRepeated],
] as const)('news that comes while a step is %s', (_phase, standing) => {
  const news = { type: 'providerNotified', eventType: 'PAYMENT.CAPTURE.COMPLETED', isNews: true } as const;
  const told = (status: PaymentStatus, asked: Partial<PaymentOrder> = { remembersNews: true }) => {
    const state = standing(payment(status, asked));
    const result = transition(state, news, now);
    return result.kind === 'moved' ? result.state : state;
  };
  const made = { type: 'captureAnswered', capture: capture(20_00, { captureId: 'CAP-2' }) } as const;
  const renewed = {
    type: 'authorizationRenewed',
    authorization: reauthorizedAuthorization,
    heldAt: now,
  } as const;

  it('is read soon after the step is over, and once more when reads no longer lag', () => {
    const over = after(told('capturing'), [made, now + second]);
    const read = nextDeadline(over);
    expect(read).toEqual({ at: now + second + patience.firstPollMs, event: { type: 'pollCameDue' } });
    const polled = transition(over, { type: 'pollCameDue' }, read!.at);
    expect(polled).toMatchObject({ effect: { type: 'observe' } });
    const confirmed = nextDeadline(polled.state);
    expect(confirmed).toEqual({ at: now + patience.outcomeHorizonMs, event: { type: 'pollCameDue' } });
    const last = after(polled.state, [{ type: 'pollCameDue' }, confirmed!.at]);
    expect(nextDeadline(last)?.event.type).toBe('honourPeriodNearedEnd');
  });

  it('is read although the step lasts longer than reads lag', () => {
    const late = now + 2 * patience.outcomeHorizonMs;
    const over = after(told('capturing'), [made, late]);
    expect(nextDeadline(over)).toEqual({ at: late + patience.firstPollMs, event: { type: 'pollCameDue' } });
  });

  it('is read before anything is captured of a new hold', () => {
    const result = transition(told('reauthorizing'), renewed, now);
    expect(result).toMatchObject({ kind: 'moved', effect: { type: 'observe' } });
    expect(nextDeadline(result.state)).toEqual({
      at: now + patience.outcomeHorizonMs,
      event: { type: 'pollCameDue' },
    });
  });

  it('may wait in the inbox until a reauthorization is over, so a read follows each of them', () => {
    const result = transition(standing(payment('reauthorizing', { rules: 2 })), renewed, now);
    expect(result).toMatchObject({ kind: 'moved', effect: { type: 'observe' } });
    expect(transition(standing(payment('reauthorizing')), renewed, now)).not.toHaveProperty('effect');
  });

  it('is used up in older orders, as is a hint that is no news', () => {
    expect(told('capturing', {})).toEqual(standing(payment('capturing')));
    const { isNews: _none, ...hint } = news;
    const state = standing(payment('capturing', { remembersNews: true }));
    expect(transition(state, hint, now).state).toEqual(state);
    const again = transition(told('reauthorizing', {}), renewed, now);
    expect(again).not.toHaveProperty('effect');
    const owed = standing({ ...payment('reauthorizing'), readOwed: true });
    const none = standing(payment('reauthorizing', { remembersNews: true }));
    for (const other of [owed, none]) expect(transition(other, renewed, now)).not.toHaveProperty('effect');
  });
});

it('news of a step in doubt has the step looked up at once, too', () => {
  const news = { type: 'providerNotified', eventType: 'PAYMENT.CAPTURE.COMPLETED', isNews: true } as const;
  const doubted = inDoubt(payment('capturing', { remembersNews: true }));
  expect(transition(doubted, news, now)).toMatchObject({
    state: { readOwed: true },
    effect: { type: 'lookUp' },
  });
});

it('a check reads at once and puts no poll off', () => {
  const check = { type: 'providerNotified', eventType: 'check', isCheck: true } as const;
  expect(transition({ ...payment('authorized'), readOwed: true }, check, now)).toEqual({
    kind: 'moved',
    state: payment('authorized'),
    effect: { type: 'observe' },
  });
});
