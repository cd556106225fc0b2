import { describe, expect, it } from 'vitest';
import {
  advanceRefund,
  refundLifecycle,
  restartRefundFrom,
  type RefundEvent,
  type RefundState,
  transitionRefund,
} from '#workflows/lifecycle/refund';
import {
  doubtedRequest,
  facts,
  observed,
  patience,
  pendingRequest,
  refund,
  request,
  startedAt,
  usd,
} from './sample-refunds.js';

const now = startedAt + 1_000;
const capture = { kind: 'capture', id: 'CAP-1', amount: usd(100_00), state: 'refunded' } as const;
const shows = (changes: Parameters<typeof facts>[0]): RefundEvent => ({
  type: 'refundObserved',
  facts: facts(changes),
});
const answered = (state: string): RefundEvent => ({
  type: 'refundAnswered',
  refund: { providerRefundId: 'REF-1', state, settledAt: now },
});
const take = (state: RefundState, event: RefundEvent, at = now) => transitionRefund(state, event, at);

const entryAfter = (state: RefundState) =>
  advanceRefund({ state, version: 3 }, shows({ state: 'pending' }), now).entry;

describe('a read of a refund', () => {
  it('that shows our own request as its maker belongs to the request: it is not called made elsewhere', () => {
    expect(take(pendingRequest(), shows({ madeBy: 're_1' })).state.status).toBe('completed');
  });

  it('of money that is none of ours says so', () => {
    const { paymentId: _none, ...elsewhere } = facts();
    expect(take(observed(), { type: 'refundObserved', facts: elsewhere }).state).toEqual({
      ...observed(),
      status: 'unfounded',
      reason: 'The provider shows it as a refund of money that is none of our payments’.',
    });
  });

  it('of all that was captured is no contradiction', () => {
    const { kind, state } = take(observed(), shows({ amount: usd(100_00), collected: capture }));
    expect(kind).toBe('moved');
    expect(state).toMatchObject({ status: 'completed', amount: usd(100_00) });
  });

  it.each([
    ['more than was captured', { amount: usd(100_01) }, '100.01 USD, and only 100.00 USD were collected'],
    [
      'another currency than was captured',
      { amount: { minor: 40_00, currency: 'EUR' } },
      '40.00 EUR, and only 100.00 USD were collected',
    ],
  ])('of %s is recorded, and not believed', (_what, changes, reason) => {
    expect(take(observed(), shows(changes))).toMatchObject({
      kind: 'conflict',
      reason: expect.stringContaining(reason),
    });
  });

  it.each([
    [
      'of another currency',
      { amount: { minor: 40_00, currency: 'EUR' } },
      'It was of 40.00 USD and is now shown of 40.00 EUR.',
    ],
    ['of another amount', { amount: usd(40_01) }, 'It was of 40.00 USD and is now shown of 40.01 USD.'],
    [
      'of another capture',
      { collected: { ...capture, id: 'CAP-2' } },
      'It gave back from CAP-1 and is now shown to give back from CAP-2.',
    ],
  ])('%s than before is recorded, and not believed', (_what, changes, reason) => {
    expect(take(refund('pending'), shows(changes))).toMatchObject({ kind: 'conflict', reason });
  });

  it.each(['pending', 'completed', 'denied'])(
    'is doubted while its capture or sale is shown as %s',
    (state) => {
      const doubted = take(refund('pending'), shows({ collected: { ...capture, state } })).state;
      expect(doubted).toMatchObject({ status: 'pending', uncorroboratedSince: now });
    },
  );
});

describe('a read that changes no status', () => {
  it('has a timeline line when it shows which capture is refunded, or how much', () => {
    const { amount: _unknown, ...unmeasured } = refund('pending');
    expect(entryAfter(unmeasured)).toMatchObject({ to: 'pending' });
    const { collected: _unread, ...unplaced } = refund('pending');
    expect(entryAfter(unplaced)).toMatchObject({ to: 'pending' });
  });

  it('has none when it shows what is known', () => {
    expect(entryAfter(refund('pending'))).toBeUndefined();
  });
});

it('a check of an open refund reads it at once, and changes nothing about its next poll', () => {
  const check: RefundEvent = { type: 'refundNotified', eventType: 'CHECK', isCheck: true };
  const state = refund('pending');
  expect(take(state, check)).toEqual({ kind: 'moved', state, effect: { type: 'observe' } });
});

describe('a refund that has ended', () => {
  it.each([
    ['completed', 'failed'],
    ['failed', 'completed'],
  ] as const)('as %s and is shown as %s has that recorded, once', (status, state) => {
    const first = take(refund(status), shows({ state }));
    const reason = `It was ${status} and is now shown as ${state}.`;
    expect(first).toMatchObject({ kind: 'conflict', reason, state: { status, contradiction: reason } });
    expect(take(first.state, shows({ state })).kind).toBe('stale');
  });

  it('tells nothing new when it is shown with its end, or not yet', () => {
    expect(take(refund('completed'), shows({})).kind).toBe('stale');
    expect(take(refund('completed'), shows({ state: 'pending' })).kind).toBe('stale');
  });

  it('keeps the contradiction on record when it is shown with its end again', () => {
    const contradicted = take(refund('completed'), shows({ state: 'failed' })).state;
    expect(take(contradicted, shows({}))).toEqual({ kind: 'stale', state: contradicted });
  });

  it('cannot be decided by an operator, and says so', () => {
    const decided = { commandId: 'cmd_9', decision: 'happened', reason: 'seen' } as const;
    expect(take(refund('completed'), { type: 'reviewDecided', ...decided })).toMatchObject({
      kind: 'refused',
      refusal: { code: 'not_allowed_in_state', reason: 'A refund that is completed is not under review.' },
    });
  });
});

describe('a request for a refund', () => {
  it('has one step, under the command that asked for it', () => {
    expect(request().openStep?.step).toEqual({ type: 'makeRefund', commandId: 're_1:request' });
  });

  it('counts as refunded when it is completed, and not while it is pending', () => {
    expect(take(request(), answered('completed')).state).toMatchObject({
      status: 'completed',
      refundedAt: now,
    });
    expect(take(request(), answered('pending')).state).not.toHaveProperty('refundedAt');
  });

  it('is read after the first wait since its answer, if that leaves it pending', () => {
    const { state } = take(request(), answered('pending'));
    const at = now + patience.firstPollMs;
    expect(refundLifecycle.nextDeadline(state)).toEqual({ at, event: { type: 'pollCameDue' } });
  });

  it('that is declined says why', () => {
    const reason = 'The provider declined it (TRANSACTION_REFUSED).';
    expect(take(request(), { type: 'stepDeclined', reason }).state).toMatchObject({
      status: 'declined',
      reason,
    });
  });

  it('is given up as failed when the provider does not answer', () => {
    let state = request();
    for (let tries = 0; tries < patience.maxAttempts; tries += 1) {
      state = take(state, { type: 'stepDeferred', retryAt: now }).state;
      if (state.openStep) state = take(state, { type: 'stepCameDue' }).state;
    }
    expect(state).toMatchObject({
      status: 'failed',
      reason: 'The provider gave no usable answer; it is proved that the refund did not happen.',
    });
    expect(state.openStep).toBeUndefined();
  });

  it('records an operator’s decision in its timeline, and nothing of what others did', () => {
    const decided = { commandId: 'cmd_9', decision: 'happened', reason: 'seen in its books' } as const;
    const reviewed = { state: doubtedRequest('needs_review'), version: 3 };
    const { entry } = advanceRefund(reviewed, { type: 'reviewDecided', ...decided }, now);
    expect(entry?.detail).toBe('happened: seen in its books');
    const asked = advanceRefund({ state: request(), version: 1 }, answered('completed'), now);
    expect(asked.entry?.detail).toBeUndefined();
  });

  it('that is continued by a new run is read at once, as if it had never been polled', () => {
    const rows = { state: { ...pendingRequest(), polls: 7 }, version: 4 };
    const { lastLookAt: _past, ...unread } = pendingRequest();
    expect(restartRefundFrom(rows, now).position).toEqual({ state: { ...unread, polls: 0 }, version: 5 });
  });
});

describe('a chargeback that has ended without its amount', () => {
  const { amount: _unknown, ...completed } = refund('completed');
  const ended: RefundState = { ...completed, claim: { kind: 'reversal', collected: completed.collected! } };
  const asked: RefundEvent = { type: 'refundNotified', eventType: 'RECONCILIATION', isForAmount: true };

  it('is read on request, and shown with the amount: its end is final', () => {
    expect(take(ended, asked)).toMatchObject({ kind: 'moved', effect: { type: 'observe' } });
    const reported = advanceRefund({ state: ended, version: 3 }, shows({ amount: usd(60_00) }), now);
    expect(reported.position.state).toEqual({ ...ended, amount: usd(60_00) });
    expect(reported.entry).toMatchObject({ kind: 'moved', from: 'completed', to: 'completed', version: 4 });
  });

  it('shows what all of its capture have taken, if its own amount is still unknown', () => {
    const { amount: _unknown, ...all } = facts({ chargedBack: usd(60_00) });
    const reported = advanceRefund({ state: ended, version: 3 }, { type: 'refundObserved', facts: all }, now);
    expect(reported.position.state).toEqual({ ...ended, chargedBack: usd(60_00) });
    expect(reported.entry).toMatchObject({ from: 'completed', to: 'completed' });
    expect(take(reported.position.state, { type: 'refundObserved', facts: all }).kind).toBe('stale');
  });

  it('is told nothing new by a read that shows no amount either', () => {
    const { amount: _none, ...unmeasured } = facts();
    expect(take(ended, { type: 'refundObserved', facts: unmeasured }).kind).toBe('stale');
  });

  it('stays without it while reads disagree, or show more than was collected', () => {
    const pending = take(ended, shows({ state: 'pending', amount: usd(60_00) }));
    expect(pending).toEqual({ kind: 'stale', state: ended });
    const tooMuch = take(ended, shows({ amount: usd(100_01) }));
    expect(tooMuch.kind).toBe('conflict');
    expect(tooMuch.state.amount).toBeUndefined();
  });

  it('is not read for any other message, nor once the amount is known', () => {
    expect(take(ended, { type: 'refundNotified', eventType: 'PAYMENT.CAPTURE.REVERSED' }).kind).toBe('stale');
    expect(take(refund('completed'), asked).kind).toBe('stale');
    expect(take(refund('completed'), shows({ amount: usd(60_00) }))).toMatchObject({ kind: 'conflict' });
  });
});
