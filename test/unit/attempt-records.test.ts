import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AttemptRow } from '#database/schema';
import { TemporalAwayError } from '#runs';
import { freshIdentity } from '#worker/steps/attempts/attempt-identity.js';
import { signalLateAnswer } from '#worker/steps/attempts/late-answer.js';
import { isAnswered, isOpen, outcomeOnRecord } from '#worker/steps/attempts/recorded-outcome.js';
import { requireOpenStep } from '#worker/steps/attempts/step-record.js';
import { startStopwatch } from '#payments-client';
import { tooLateToSend } from '#worker/steps/attempts/error-mapping.js';
import { taskOf } from '#worker/steps/activities/subject-writer.js';
import { type PayoutEvent, transition } from '#workflows/lifecycle/payout';
import { cancellation, creation, inDoubt, now, payout } from '../lifecycle/payout/sample-payouts.js';

describe('the identity of a new attempt', () => {
  const place = { subjectId: 'pay_1', stepName: 'cmd_2', attemptNumber: 0 };

  it('is the same in every process and release, so that a lost row does not move money twice', () => {
    expect(freshIdentity(place)).toEqual({
      requestId: 'b5fa8851-7340-8162-a8cd-0844604ff8fd',
      reference: 'pay_1-b5fa8851',
    });
  });

  it.each([{ subjectId: 'pay_2' }, { stepName: 'cmd_3' }, { attemptNumber: 1 }])(
    'is another one elsewhere: %j',
    (change) => {
      const { requestId, reference } = freshIdentity({ ...place, ...change });
      expect(requestId).not.toBe(freshIdentity(place).requestId);
      expect(requestId).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-a[\da-f]{3}-[\da-f]{12}$/);
      expect(reference).toBe(`${change.subjectId ?? 'pay_1'}-${requestId.slice(0, 8)}`);
    },
  );
});

describe('the outcome on record', () => {
  it.each([
    [null, true, false],
    ['unknown', true, false],
    ['answered', false, true],
    ['declined', false, false],
    ['deferred', false, false],
    ['undone', false, false],
  ] as const)(
    '%s: must it be looked up, %s; is it the outcome of its step, %s',
    (outcome, open, answered) => {
      expect(isOpen({ outcome })).toBe(open);
      expect(isAnswered({ outcome })).toBe(answered);
    },
  );

  it('is its event and its instant, and there is none without both', () => {
    const row = { event: { type: 'voidConfirmed' }, settled_at: new Date(9) } as unknown as AttemptRow;
    expect(outcomeOnRecord(row)).toEqual({ event: { type: 'voidConfirmed' }, at: 9 });
    for (const missing of [{ event: null }, { settled_at: null }])
      expect(() => outcomeOnRecord({ ...row, ...missing })).toThrow('an attempt has no recorded outcome');
  });
});

describe('an answer that came after its task was given up', () => {
  const signal = vi.fn(async () => true);
  const told = async (id: string) =>
    await signalLateAnswer(
      { runs: { signal } },
      { environment: 'sandbox', application: 'shop', id },
      {
        attemptId: 12,
      },
    );
  beforeEach(() => {
    signal.mockReset();
  });

  it.each([
    ['pay_1', 'providerNotified'],
    ['sub_1', 'providerNotified'],
    ['po_1', 'providerNotified'],
    ['re_1', 'refundNotified'],
  ])('makes the run of %s look it up, by %s', async (id, type) => {
    await told(id);
    expect(signal.mock.calls).toEqual([
      [
        expect.objectContaining({ id }),
        { id: 'late-answer:12', event: { type, eventType: 'LATE_ANSWER', isCheck: true } },
      ],
    ]);
  });

  it.each([
    ['creating', creation, 'perform'],
    ['needs_review', creation, 'perform'],
    ['settling', cancellation, 'lookUp'],
    ['needs_review', cancellation, 'lookUp'],
  ] as const)('makes a payout that is %s take it at once (%j)', async (status, step, effect) => {
    await told('po_1');
    const [[, { event }]] = signal.mock.calls as unknown as [[unknown, { readonly event: PayoutEvent }]];
    const { providerBatchId: id, ...open } = payout(status, { openStep: inDoubt(step) });
    const state = step.type === 'createPayout' || id === undefined ? open : { ...open, providerBatchId: id };
    expect(transition(state, event, now)).toMatchObject({ kind: 'moved', effect: { type: effect } });
  });

  it('is found by the next lookup while Temporal is away, and no other error is hidden', async () => {
    signal.mockRejectedValueOnce(new TemporalAwayError('UNAVAILABLE'));
    await expect(told('pay_1')).resolves.toBeUndefined();
    signal.mockRejectedValueOnce(new Error('a bug'));
    await expect(told('pay_1')).rejects.toThrow('a bug');
  });
});

describe('the time between the begin of an attempt and its send', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: 1_000_000 });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is told by the monotonic clock when the other was set back', () => {
    const elapsedMs = startStopwatch();
    vi.advanceTimersByTime(300);
    vi.setSystemTime(0);
    expect(elapsedMs()).toBe(300);
  });

  it('is told by the wall clock when the machine has slept', () => {
    const elapsedMs = startStopwatch();
    vi.setSystemTime(1_060_000);
    expect(elapsedMs()).toBe(60_000);
  });

  it('was too long: the attempt was not sent, and is repeated at once', () => {
    expect(tooLateToSend()).toEqual({
      outcome: 'deferred',
      event: { type: 'stepDeferred', retryAt: 1_000_000 },
    });
  });
});

it('a step is required where one is recorded', () => {
  expect(() => requireOpenStep({})).toThrow('no step is open');
});

it('a write says what its run knew of the rows, and by default the status that it leaves', () => {
  const input = { state: { status: 'captured' }, version: 3, timeline: [], identity: 'x' } as never;
  expect(taskOf(input)).toEqual({ knownStatus: 'captured' });
  const task = { knownStatus: 'capturing', knownVersion: 2, taskStartedAt: 9 };
  expect(taskOf({ ...(input as object), ...task } as never)).toEqual(task);
});
