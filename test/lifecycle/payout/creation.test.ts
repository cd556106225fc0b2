import { describe, expect, it } from 'vitest';
import {
  type PayoutEvent,
  type PayoutState,
  payoutLifecycle,
  isAlreadyKnown,
  transition,
} from '#workflows/lifecycle/payout';
import { creation, inDoubt, now, patience, payout, sampleEvents, second } from './sample-payouts.js';

const deferred = (state: PayoutState, retryAt = now + second) =>
  transition(state, { type: 'stepDeferred', retryAt }, now);
const due = (state: PayoutState) => transition(state, sampleEvents.stepCameDue, now + second);
const lost = (state: PayoutState, at = now) => transition(state, sampleEvents.outcomeUnknown, at);
const attemptsOf = ({ state }: { readonly state: PayoutState }) => state.openStep?.attempts;

const reported = (state: string) => ({ kind: 'payout', id: 'BATCH-1', state }) as const;

const detailOf = (event: PayoutEvent) => payoutLifecycle.detailOf?.(event);

describe('the creation of a batch', () => {
  it('begins with all items queued, and the call under way', () => {
    expect(payout('creating')).toMatchObject({
      totals: { queued: { count: 3, minor: 3_000 } },
      openStep: { number: 1, step: creation, phase: 'running', attempts: 0 },
    });
  });

  it('is declined once the provider has deferred it often enough, with no lost answer in between', () => {
    let state = payout('creating');
    for (const attempts of [1, 2]) {
      const put = deferred(state, now + attempts * second);
      expect(put).toMatchObject({
        state: {
          status: 'creating',
          openStep: { phase: 'retry', attempts, nextAt: now + attempts * second },
        },
      });
      // The call that was put off is made again as the next one: it was counted when it was put off.
      const again = due(put.state);
      expect(again).toMatchObject({
        effect: { type: 'perform' },
        state: { openStep: { phase: 'running', attempts } },
      });
      state = again.state;
    }
    const { state: end } = deferred(state);
    expect(end).toMatchObject({ status: 'declined', reason: expect.stringContaining('no batch') as string });
    expect(end.openStep).toBeUndefined();
  });

  it('is never declined after deferrals once an answer was lost: each request counts as its own attempt', () => {
    let state = lost(payout('creating')).state;
    for (const attempts of [1, 2, 3, 4, 5]) {
      const again = due(state);
      expect(again).toMatchObject({ effect: { type: 'perform', step: creation } });
      expect([attemptsOf(again), again.state.openStep?.phase]).toEqual([attempts, 'running']);
      state = deferred(again.state).state;
      expect([state.status, state.openStep?.phase]).toEqual(['creating', 'doubt']);
    }
  });

  it('is sent again no sooner than the provider allows, and at growing intervals', () => {
    const later = now + 500 * second;
    expect(deferred(lost(payout('creating')).state, later).state.openStep).toMatchObject({
      nextAt: later,
      notBefore: later,
    });
    const waits: number[] = [];
    let state = payout('creating');
    for (let times = 0; times < 4; times += 1) {
      state = lost(state).state;
      waits.push((state.openStep?.nextAt ?? 0) - now);
      state = due(state).state;
    }
    expect(waits).toEqual([second, 2 * second, 4 * second, 8 * second]);
  });

  it('goes to review when the doubt has lasted as long as it may, to the millisecond, and not twice', () => {
    const doubted = payout('creating', { openStep: inDoubt(creation) });
    const limit = now + patience.reviewAfterMs;
    expect(lost(doubted, limit - 1).state.status).toBe('creating');
    const asked = lost(doubted, limit);
    expect(asked.state.status).toBe('needs_review');
    expect(lost(asked.state, limit + second)).toMatchObject({
      kind: 'moved',
      state: { status: 'needs_review' },
    });
    expect(lost(payout('creating'), limit).state.openStep).not.toHaveProperty('reviewAt');
  });

  it('is not begun by anything that comes too late for it', () => {
    const created = payout('processing');
    const events = [sampleEvents.stepDeferred, sampleEvents.stepCameDue, sampleEvents.reviewCameDue];
    for (const event of events) {
      expect(transition(created, event, now)).toEqual({ kind: 'stale', state: created });
    }
    // A call that is under way is not made a second time beside it.
    expect(due(payout('creating')).kind).toBe('stale');
    const check = { ...sampleEvents.providerNotified, isCheck: true } as const;
    expect(transition(payout('creating'), check, now).kind).toBe('stale');
  });
});

describe('an event of a batch', () => {
  it.each(['PENDING', 'PROCESSING'])('tells nothing new while the batch is %s', (word) => {
    expect(isAlreadyKnown(payout('processing'), reported(word))).toBe(true);
  });

  it('is followed until a read is due, or the payout has ended', () => {
    expect(isAlreadyKnown(payout('processing'), reported('SUCCESS'))).toBe(false);
    expect(isAlreadyKnown(payout('settling', { readAt: now }), reported('SUCCESS'))).toBe(true);
    expect(isAlreadyKnown(payout('completed'), reported('SUCCESS'))).toBe(true);
  });

  it('is followed when it is about anything else', () => {
    expect(isAlreadyKnown(payout('completed'), { ...reported('SUCCESS'), kind: 'refund' })).toBe(false);
  });
});

it('the timeline of a payout shows what was decided, and which event came', () => {
  expect(detailOf(sampleEvents.reviewDecided)).toBe('happened: seen');
  expect(detailOf(sampleEvents.providerNotified)).toBe('PAYMENT.PAYOUTS-ITEM.SUCCEEDED');
  expect(detailOf(sampleEvents.pollCameDue)).toBeUndefined();
});
