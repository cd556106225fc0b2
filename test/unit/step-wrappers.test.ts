import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { EndOnRecordError, LateTaskError } from '#database/transitions';
import { UnconfiguredApplicationError } from '#worker/provider/unconfigured-application-error.js';
import { retriedByTimer } from '#worker/steps/activities/retried-by-timer.js';
import { refusedWritesAsResults } from '#worker/steps/activities/refused-writes-as-results.js';
import { withPlaces } from '#worker/steps/activities/with-places.js';
import { StepPlaces } from '#worker/steps/activities/step-places.js';
import { viewActivities } from '#worker/steps/activities/view.js';

const input = { identity: { environment: 'sandbox', application: 'shop' } };

const later = (comesAgainInMs: number) => ({ isLate: true, isUnpersisted: true, comesAgainInMs });

function failing(error: unknown) {
  return async (..._given: unknown[]): Promise<unknown> => {
    throw error;
  };
}

async function refused(error: unknown): Promise<unknown> {
  return await refusedWritesAsResults({ write: failing(error) }).write();
}

async function tryTo(error: unknown, attempt: number): Promise<unknown> {
  vi.spyOn(Context, 'current').mockReturnValue({ info: { attempt } } as Context);
  return await retriedByTimer({ capture: failing(error) }).capture();
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('a step of an application that holds as many places as it may', () => {
  it('is not begun, and comes again', async () => {
    const send = vi.fn(async (..._given: unknown[]) => 'sent');
    const { capture } = withPlaces(new StepPlaces(0), { capture: send });
    expect(await capture(input)).toEqual(later(100));
    expect(send).not.toHaveBeenCalled();
  });

  it.each(['recordView', 'findEnded'])('is begun if it calls no provider: %s', async (name) => {
    const { [name]: activity } = withPlaces(new StepPlaces(0), { [name]: async () => 'written' });
    expect(await activity?.()).toBe('written');
  });

  it.each(['checkRecord', 'lookUpFindings'])('needs a place whatever it is about: %s', async (name) => {
    const { [name]: activity } = withPlaces(new StepPlaces(0), {
      [name]: async (..._given: unknown[]) => 'sent',
    });
    expect(await activity?.(input)).toMatchObject({ isLate: true });
  });

  it('is begun with all that it was given once another has ended, or failed', async () => {
    const activities = { make: async (...given: unknown[]) => given, fail: failing(new Error('no')) };
    const { make, fail } = withPlaces(new StepPlaces(1), activities);
    expect(await make(input, 'hint')).toEqual([input, 'hint']);
    await expect(fail(input)).rejects.toThrow('no');
    expect(await make(input)).toEqual([input]);
  });
});

describe('a write that the rows refuse', () => {
  it('tells the run the end that it does not know', async () => {
    const position = { state: { status: 'captured' }, version: 7 };
    expect(await refused(new EndOnRecordError(position))).toEqual({ ended: position });
  });

  it('tells a run whose task was lost that it is late', async () => {
    expect(await refused(new LateTaskError())).toEqual({ isLate: true, isUnpersisted: true });
  });

  it('for any other cause fails, and a result stays as it is', async () => {
    await expect(refused(new Error('no connection'))).rejects.toThrow('no connection');
    const { add } = refusedWritesAsResults({ add: async (one: number, other: number) => one + other });
    expect(await add(1, 2)).toBe(3);
  });
});

describe('an activity that fails again and again', () => {
  const noConnection = new Error('no connection');

  it('is tried six times within its task, and then comes again by a timer', async () => {
    await expect(tryTo(noConnection, 5)).rejects.toBe(noConnection);
    expect(await tryTo(noConnection, 6)).toEqual(later(10_000));
    expect(await tryTo(ApplicationFailure.retryable('no connection'), 6)).toEqual(later(10_000));
  });

  it('comes again at once where only another configuration can help', async () => {
    expect(await tryTo(new UnconfiguredApplicationError('shop'), 1)).toEqual(later(1_000));
  });

  it('fails its run where a repeat is forbidden', async () => {
    const unfounded = ApplicationFailure.nonRetryable('This run has no accepted order.', 'unfounded');
    await expect(tryTo(unfounded, 6)).rejects.toBe(unfounded);
  });

  it('is tried without end if it only finds rows: its run has nothing else to do', async () => {
    const { findEnded } = retriedByTimer({ findEnded: failing(noConnection) });
    await expect(findEnded()).rejects.toBe(noConnection);
  });

  it('passes on what it was given, and its result', async () => {
    const { add } = retriedByTimer({ add: async (one: number, other: number) => one + other });
    expect(await add(1, 2)).toBe(3);
  });
});

describe('the next event of a run with a step', () => {
  const activities = viewActivities({
    capture: async (...given: unknown[]) => given,
    record: async () => undefined,
  });
  const view = { version: 3 } as never;

  it('has the result of that step', async () => {
    expect(await activities.takeEvent(view, { name: 'capture', args: ['input', 'hint'] })).toEqual({
      version: 3,
      result: ['input', 'hint'],
    });
    expect(await activities.takeEvent(view, { name: 'record', args: [] })).toEqual({
      version: 3,
      result: null,
    });
  });

  it('has none without a step, and fails if the worker does not have that step', async () => {
    expect(await activities.takeEvent(view)).toEqual({ version: 3 });
    await expect(activities.takeEvent(view, { name: 'refund', args: [] })).rejects.toThrow(
      'this worker has no activity refund',
    );
  });

  it('is recorded with its instant', async () => {
    expect(await activities.recordView(view)).toEqual({ version: 3, at: expect.any(Number) });
  });
});
