import { describe, expect, it } from 'vitest';
import type { PaymentEvent } from '#workflows/lifecycle/payment';
import type { StepEvent } from '#workflows/lifecycle/step';
import { capture, facts, payment } from '../../lifecycle/payment/sample-payments.js';
import { steps } from './stand.js';
import { answered, call, captured, repeated, undone, unknownUntil } from './sample-attempts.js';

const { StepStand, EndOnRecordError, LateTaskError, UnknownOutcomeError } = steps;

it('an answer after a newer task has written is recorded without the row, and the run looks it up', async () => {
  const stand = new StepStand(payment('capturing'));
  const late = stand.attempt(async () => {
    stand.writeElsewhere({ taskStartedAt: stand.now + 1 });
    return captured;
  });
  await expect(late).rejects.toBeInstanceOf(LateTaskError);
  expect(stand.attempts).toMatchObject([answered]);
  expect(stand.payment).toMatchObject({ status: 'capturing', version: 4 });
  expect(stand.command).toMatchObject({ status: 'executing' });
  expect(stand.signals).toMatchObject([{ id: 'late-answer:1' }]);
  expect(stand.announced).toEqual(['pay_1']);
});

it('a lost answer after a newer task has written is recorded, and the run has nothing to look up early', async () => {
  const stand = new StepStand(payment('capturing'));
  const late = stand.attempt(async () => {
    stand.writeElsewhere({ taskStartedAt: stand.now + 1 });
    throw new UnknownOutcomeError(call, 'timed_out', {});
  });
  await expect(late).rejects.toBeInstanceOf(LateTaskError);
  expect(stand.attempts).toMatchObject([{ outcome: 'unknown' }]);
  expect(stand.payment).toMatchObject({ status: 'capturing', version: 4 });
  expect(stand.signals).toEqual([]);
});

it('an answer after an end that the run does not know is recorded, and the end stays', async () => {
  const stand = new StepStand(payment('capturing'));
  const late = stand.attempt(async () => {
    stand.writeElsewhere({ status: 'captured' });
    return captured;
  });
  await expect(late).rejects.toBeInstanceOf(EndOnRecordError);
  expect(stand.attempts).toMatchObject([answered]);
  expect(stand.payment).toMatchObject({ status: 'captured', version: 4 });
});

it('an answer after another process has recorded the outcome changes nothing but the call history', async () => {
  const stand = new StepStand(payment('capturing'));
  const { event } = await stand.attempt(async () => {
    stand.rows.recordOutcome({ attemptId: 1, ...undone, at: new Date(stand.now) } as never);
    stand.calls.push({ operation: 'capture', status: 201 } as never);
    return captured;
  });
  expect(event).toEqual(undone.event);
  expect(stand.attempts).toMatchObject([undone]);
  expect(stand.payment.state.openStep).toMatchObject({ attempts: 1, phase: 'running' });
  expect(stand.rows.calls).toMatchObject([{ subjectId: 'pay_1', status: 201 }]);
  expect(stand.announced).toContain('pay_1');
});

it('a refused repeat whose worker died keeps its refusal and its horizon, also when the run asks for it again', async () => {
  const stand = new StepStand(repeated('capturing', 1));
  stand.madeBefore(0, undone);
  const refusedBefore = unknownUntil(stand.now + 9, { refusal: 'The provider refused it (X).' });
  stand.madeBefore(1, refusedBefore);
  expect(await stand.attempt(async () => captured)).toMatchObject({ event: refusedBefore.event });
  expect(stand.sent).toEqual([]);
  expect(stand.attempts[1]).toMatchObject(refusedBefore);
  expect(stand.payment.state.openStep).toMatchObject({ phase: 'doubt', horizonAt: stand.now + 9 });
});

const refusing = async (): Promise<PaymentEvent> => ({ type: 'stepDeclined', reason: 'as answered' });

const withRows = async (_db: unknown, _input: unknown, event: StepEvent | PaymentEvent) =>
  event.type === 'stepDeclined' ? { ...event, reason: 'as the rows say' } : event;

/** Its rows say more about every refusal. */
class StandWithRows extends StepStand {
  override get work() {
    const { context, writer } = super.work;
    return { context, writer: { ...writer, withRows } };
  }
}

it('what the rows say of an outcome is recorded with it, and told of one that is on record', async () => {
  const declined = { type: 'stepDeclined', reason: 'as the rows say' };
  const stand = new StandWithRows(payment('capturing'));
  expect(await stand.attempt(refusing)).toMatchObject({ event: declined });
  expect(stand.attempts).toMatchObject([{ event: declined }]);
  const recorded = new StandWithRows(payment('capturing'));
  const before: StepEvent = { type: 'stepDeclined', reason: 'as before' };
  recorded.madeBefore(0, { outcome: 'declined', event: before });
  expect(await recorded.attempt(refusing)).toMatchObject({ event: declined });
  expect(recorded.command).toMatchObject({ status: 'failed', result: { reason: 'as the rows say' } });
});

/** A newer task has written. */
function overtaken() {
  const stand = new StepStand(payment('authorized'));
  stand.writeElsewhere({ taskStartedAt: stand.now + 1 });
  return stand;
}

describe('after a newer task has written, a task that was given up', () => {
  const read: PaymentEvent = { type: 'providerObserved', facts: facts({ captures: [capture(40_00)] }) };

  it.each<[string, (stand: ReturnType<typeof overtaken>) => Promise<unknown>]>([
    ['a read', async ({ work, input }) => await steps.recordEvent(work, input, read)],
    [
      'a read with rows of its own',
      async ({ work, input }) => await steps.recordFinding(work, input, async () => read, { calls: [] }),
    ],
    [
      'what was done without a call',
      async ({ work, input }) => await steps.recordTransitionWithoutCall(work, input),
    ],
  ])('does not write %s', async (_what, write) => {
    const stand = overtaken();
    await expect(write(stand)).rejects.toBeInstanceOf(LateTaskError);
    expect(stand.payment).toEqual({ status: 'authorized', version: 3, state: payment('authorized') });
    expect(stand.announced).toEqual([]);
  });
});
