import { expect, it } from 'vitest';
import { payment } from '../../lifecycle/payment/sample-payments.js';
import { steps } from './stand.js';
import { answered, call, captured, undone } from './sample-attempts.js';

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
