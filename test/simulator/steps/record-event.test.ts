import { describe, expect, it } from 'vitest';
import type { PaymentEvent } from '#workflows/lifecycle/payment';
import { capture, facts, payment } from '../../lifecycle/payment/sample-payments.js';
import { steps } from './stand.js';
import { call } from './sample-attempts.js';

const { StepStand, EndOnRecordError, UnavailableError } = steps;

/** A read that shows a capture of which nothing was known. */
const observed: PaymentEvent = { type: 'providerObserved', facts: facts({ captures: [capture(40_00)] }) };
const nothingNew: PaymentEvent = { type: 'observationFailed' };
const refusedLine = {
  version: 4,
  event: 'voidRequested',
  kind: 'refused',
  from: 'authorized',
  to: 'authorized',
  at: 0,
  commandId: 'cmd_2',
} as const;
const called = { operation: 'find', status: 200 } as never;
const failing = (error: Error) => () => {
  throw error;
};
const adopting = () => [{ commandId: 'cmd_2', kind: 'capture', status: 'succeeded' } as const];

describe('an event without an attempt', () => {
  it('is written with its line, its calls and the commands that it has answered', async () => {
    const stand = new StepStand(payment('authorized'));
    const made = { calls: [called], beganAt: new Date(stand.now) };
    const outcome = await steps.recordEvent(stand.work, stand.input, observed, made, adopting);
    expect(outcome).toEqual({ event: observed, at: stand.now });
    expect(stand.payment).toMatchObject({ status: 'partially_captured', version: 5 });
    expect(stand.timeline).toMatchObject([{ version: 5, event: 'providerObserved' }]);
    expect(stand.command).toMatchObject({ status: 'succeeded' });
    expect(stand.rows.calls).toMatchObject([{ subjectId: 'pay_1' }]);
    expect(stand.rows.readsBegan).toEqual([made.beganAt]);
    expect(stand.announced).toEqual(['pay_1']);
  });

  it('was not read to its end while what it led to is still to come', async () => {
    const stand = new StepStand(payment('awaiting_approval'));
    const approved: PaymentEvent = {
      type: 'providerObserved',
      facts: { paymentState: 'created', payerId: 'PAYER-1', captures: [] },
    };
    await steps.recordEvent(stand.work, stand.input, approved, { calls: [], beganAt: new Date(stand.now) });
    expect(stand.payment).toMatchObject({ status: 'authorizing' });
    expect(stand.rows.readsBegan).toEqual([undefined]);
  });

  it('that shows nothing new adds no line and tells no caller', async () => {
    const stand = new StepStand(payment('authorized'));
    expect(await steps.recordEvent(stand.work, stand.input, nothingNew)).toMatchObject({ event: nothingNew });
    expect(stand.timeline).toEqual([]);
    expect(stand.command).toMatchObject({ status: 'accepted' });
    expect(stand.rows.calls).toEqual([]);
    expect(stand.announced).toEqual([]);
  });

  it('of a newer task leaves the lines of its run as they are, and marks those of a lost task', async () => {
    const stand = new StepStand(payment('authorized'), { kind: 'void' });
    const own = { ...refusedLine, version: 4 };
    stand.rows.timelines.write('pay_1', [own, { ...own, version: 6 }]);
    stand.writeElsewhere({ taskStartedAt: stand.now });
    Object.assign(stand.input, { knownVersion: 3, ownLines: [own], taskStartedAt: stand.now + 1 });
    await steps.recordEvent(stand.work, stand.input, observed);
    expect(stand.timeline.map(({ version, isSuperseded }) => [version, isSuperseded === true])).toEqual([
      [4, false],
      [6, true],
      [5, false],
    ]);
  });

  it('brings lines that the run has not written yet, before its own', async () => {
    const stand = new StepStand(payment('authorized'), { kind: 'void', timeline: [refusedLine] });
    await steps.recordEvent(stand.work, stand.input, observed);
    expect(stand.timeline.map(({ event }) => event)).toEqual(['voidRequested', 'providerObserved']);
    expect(stand.command).toMatchObject({ status: 'refused' });
  });
});

describe('a finding', () => {
  it('is written with the rows that were saved for it, and its callers are told', async () => {
    const stand = new StepStand(payment('authorized'));
    const save = async () => {
      stand.rows.resources.set('CAP-9', 'pay_1');
      return observed;
    };
    const made = { calls: [called] };
    const outcome = await steps.recordFinding(stand.work, stand.input, save, made, adopting);
    expect(outcome).toEqual({ event: observed, at: stand.now });
    expect(stand.payment).toMatchObject({ status: 'partially_captured' });
    expect(stand.rows.resources.get('CAP-9')).toBe('pay_1');
    expect(stand.command).toMatchObject({ status: 'succeeded' });
    expect(stand.announced).toEqual(['pay_1']);
  });

  it('that shows nothing new tells no caller', async () => {
    const stand = new StepStand(payment('authorized'));
    await steps.recordFinding(stand.work, stand.input, async () => nothingNew, { calls: [] });
    expect(stand.announced).toEqual([]);
  });

  it('after an end that its run does not know leaves nothing behind', async () => {
    const stand = new StepStand(payment('authorized'));
    stand.writeElsewhere({ status: 'voided' });
    const save = async () => {
      stand.rows.resources.set('CAP-9', 'pay_1');
      return observed;
    };
    const made = { calls: [] };
    await expect(steps.recordFinding(stand.work, stand.input, save, made)).rejects.toBeInstanceOf(
      EndOnRecordError,
    );
    expect(stand.rows.resources.has('CAP-9')).toBe(false);
    expect(stand.announced).toEqual([]);
  });
});

it('what a run did without a call is written as it stands, and its callers are told', async () => {
  const stand = new StepStand(payment('voided'), {
    kind: 'void',
    before: { state: payment('authorized'), version: 3 },
    timeline: [refusedLine],
  });
  Object.assign(stand.input, { knownStatus: 'authorized' });
  expect(await steps.recordTransitionWithoutCall(stand.work, stand.input)).toBeUndefined();
  expect(stand.payment).toMatchObject({ status: 'voided', version: 4 });
  expect(stand.timeline).toMatchObject([refusedLine]);
  expect(stand.command).toMatchObject({ status: 'refused' });
  expect(stand.announced).toEqual(['pay_1']);
});

it('a refused message that names the request of the open step is no outcome of it', async () => {
  const timeline = [
    { ...refusedLine, event: 'captureRequested' },
    { ...refusedLine, commandId: 'cmd_3' },
  ];
  const stand = new StepStand(payment('capturing'), { timeline });
  stand.rows.commands.accept({ id: 'cmd_3', kind: 'void', subjectId: 'pay_1' });
  await steps.recordTransitionWithoutCall(stand.work, stand.input);
  expect(stand.command).toMatchObject({ status: 'accepted' });
  expect(stand.rows.commands.get('cmd_3')).toMatchObject({ status: 'refused' });
});

describe('the row of an ended payment', () => {
  it('is found, with its version', async () => {
    const { work, input } = new StepStand(payment('captured'));
    expect(await steps.findEnded(work, input.identity)).toEqual({ state: payment('captured'), version: 3 });
  });

  it('is not that of an open one, nor that of none', async () => {
    const { work, input } = new StepStand(payment('authorized'));
    const other = { ...input.identity, paymentId: 'pay_2' };
    for (const identity of [input.identity, other])
      await expect(steps.findEnded(work, identity)).rejects.toThrow('has no row with an end status');
  });
});

describe('a read', () => {
  it('began before the provider was asked: by the clock of the database for rows, by both for proofs', async () => {
    const stand = new StepStand(payment('authorized'));
    const { context } = stand.work;
    const beganAt = new Date(stand.now);
    stand.calls.push(called);
    const read = async (at: number) => {
      stand.pass(9);
      return at;
    };
    const lookedAt = stand.now;
    const made = { calls: [called], beganAt };
    expect(await steps.makeRead(context, read)).toEqual({ shown: lookedAt, made, lookedAt });
  });

  it('before a call is recorded at once; one that fails shows nothing, and a bug is not hidden', async () => {
    const stand = new StepStand(payment('authorized'));
    const subject = { environment: 'sandbox', application: 'shop', id: 'pay_1' };
    const read = (result: () => unknown) =>
      steps.readBeforeSending(stand.work.context, subject, async () => result());
    stand.calls.push(called);
    expect(await read(() => 'shown')).toBe('shown');
    expect(stand.rows.calls).toMatchObject([{ subjectId: 'pay_1', status: 200 }]);
    expect(await read(failing(new UnavailableError(call, 'server_error', { status: 503 })))).toBeUndefined();
    expect(stand.rows.calls).toHaveLength(2);
    await expect(read(failing(new TypeError('a bug')))).rejects.toThrow('a bug');
  });

  it('before the first call shows what was there, or that nobody could read it; after a restore it shows nothing', async () => {
    const stand = new StepStand(payment('capturing'));
    const read = (result: () => unknown) =>
      steps.readBeforeFirstSending(stand.work, stand.input, async () => result());
    expect(await read(() => 'shown')).toBe('shown');
    const away = new UnavailableError(call, 'server_error', { status: 503 });
    expect(await read(failing(away))).toBe('unreadable');
    stand.restore = { restoredAt: new Date(stand.now), restoredTo: new Date(stand.now - 1) };
    expect(await read(() => 'shown')).toBeUndefined();
  });
});
