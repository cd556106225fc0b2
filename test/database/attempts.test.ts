import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StepEvent } from '#workflows/lifecycle/step/open-step.js';
import { readClock } from '#database/attempts.js';
import { findCommand } from '#database/commands.js';
import { findPayment } from '#database/payments.js';
import type { AttemptOutcome } from '#database/schema.js';
import { listTimeline } from '#database/timeline.js';
import {
  type NewOutcome,
  beginAttempt,
  findAttempts,
  writeAttemptOutcome,
  writeTransition,
} from '#database/transitions.js';
import type { PaymentIdentity } from '#workflows/contract/payment.js';
import type { TimelineEntry } from '#workflows/lifecycle/progress.js';
import { payment } from '../lifecycle/payment/sample-payments.js';
import {
  type EngineDatabase,
  atOnce,
  newAttempt,
  openEngineDatabase,
  storePayment,
  transition,
  withOwnIds,
} from './engine-database.js';

let engine: EngineDatabase;
beforeAll(async () => {
  engine = await openEngineDatabase();
});
afterAll(async () => await engine.close());

describe('an attempt', () => {
  it('is begun by exactly one of 20 workers at once, with the state that it is made in', async () => {
    const { db } = engine;
    const identity = await storePayment(db);
    const capturing = transition(identity, withOwnIds(payment('capturing'), identity), 1);
    const begun = await atOnce(20, () => beginAttempt(db, capturing, newAttempt()));
    expect(begun.filter((id) => id !== undefined)).toHaveLength(1);
    expect(await findAttempts(db, identity.paymentId, 'cmd_2')).toHaveLength(1);
    expect(await findPayment(db, identity)).toMatchObject({ status: 'capturing', version: 1 });
  });

  it('of the same step is begun again under its next number, and both are found by their references', async () => {
    const { db } = engine;
    const identity = await storePayment(db);
    const capturing = transition(identity, payment('capturing'), 1);
    const attempts = [0, 1].map((attemptNumber) => newAttempt({ attemptNumber }));
    for (const attempt of attempts) expect(await beginAttempt(db, capturing, attempt)).toBeTypeOf('number');
    const rows = await findAttempts(db, identity.paymentId, 'cmd_2');
    expect(rows.map(({ reference }) => reference)).toEqual(attempts.map(({ reference }) => reference));
    expect(await attemptOf(identity, 1)).toMatchObject({
      reference: attempts[1]?.reference,
      step: attempts[1]?.step,
      outcome: null,
      event: null,
    });
  });

  it('shares its reference and its request id with its own repeats, and with no other step', async () => {
    const { db } = engine;
    const identity = await storePayment(db);
    const capturing = transition(identity, payment('capturing'), 1);
    const first = newAttempt();
    await beginAttempt(db, capturing, first);
    const repeat = { ...first, attemptNumber: 1 };
    expect(await beginAttempt(db, capturing, repeat)).toBeTypeOf('number');
    for (const twin of [{ reference: first.reference }, { requestId: first.requestId }]) {
      await expect(beginAttempt(db, capturing, newAttempt({ stepName: 'cmd_3', ...twin }))).rejects.toThrow(
        /unique/,
      );
    }
  });

  it('is timed by the database, so that workers whose clocks differ agree on when it may still be sent', async () => {
    const { db } = engine;
    const identity = await storePayment(db);
    const before = await readClock(db);
    await beginAttempt(
      db,
      transition(identity, payment('capturing'), 1),
      newAttempt({ sendWithinMs: 30_000 }),
    );
    const after = await readClock(db);
    const attempt = await attemptOf(identity, 0);
    expect(attempt!.begun_at.getTime()).toBeGreaterThanOrEqual(before.getTime());
    expect(attempt!.begun_at.getTime()).toBeLessThanOrEqual(after.getTime());
    const left = attempt!.send_by.getTime() - attempt!.begun_at.getTime();
    expect(Math.abs(left - 30_000)).toBeLessThanOrEqual(1);
  });
});

describe('the outcome of an attempt', () => {
  it('is written by exactly one of 20 workers at once', async () => {
    const { db } = engine;
    const { identity, attemptId } = await beginCapture();
    const settled = await atOnce(20, (nth) =>
      writeAttemptOutcome(
        db,
        transition(identity, payment('partially_captured'), 2),
        outcomeRecord(attemptId, nth % 2 ? 'answered' : 'declined'),
      ),
    );
    expect(settled.filter(Boolean)).toHaveLength(1);
  });

  it.each([
    ['answered', false],
    ['declined', false],
    ['deferred', false],
    ['undone', false],
    ['unknown', true],
  ] as const)('%s can be settled again: %s', async (first, again) => {
    const { db } = engine;
    const { identity, attemptId } = await beginCapture();
    await writeAttemptOutcome(
      db,
      transition(identity, payment('capturing'), 2),
      outcomeRecord(attemptId, first),
    );
    const late = transition(identity, payment('captured'), 3);
    expect(await writeAttemptOutcome(db, late, outcomeRecord(attemptId, 'answered'))).toBe(
      again ? 'recorded' : undefined,
    );
    const attempt = await attemptOf(identity, 0);
    expect(attempt?.outcome).toBe(again ? 'answered' : first);
    // A refused settlement writes nothing at all.
    expect(await findPayment(db, identity)).toMatchObject(
      again ? { status: 'captured', version: 3 } : { status: 'capturing', version: 2 },
    );
  });

  it('keeps the event and the instant on which a repeated activity goes on', async () => {
    const { db } = engine;
    const { identity, attemptId } = await beginCapture();
    const settled = outcomeRecord(attemptId, 'declined');
    await writeAttemptOutcome(db, transition(identity, payment('partially_captured'), 2), settled);
    const attempt = await attemptOf(identity, 0);
    expect(attempt?.event).toEqual(settled.event);
    expect(attempt?.settled_at?.getTime()).toBe(settled.at.getTime());
  });
});

describe('the rows of a payment', () => {
  it('never go back to an older version, whoever writes late', async () => {
    const { db } = engine;
    const identity = await storePayment(db);
    const write = (status: 'capturing' | 'authorized', version: number) =>
      writeTransition(db, transition(identity, withOwnIds(payment(status), identity), version));
    await write('capturing', 5);
    await write('authorized', 4);
    expect(await findPayment(db, identity)).toMatchObject({
      status: 'capturing',
      version: 5,
      state: { status: 'capturing' },
    });
  });

  it('follow the attempt that is settled, where a look that was lost with its worker had led them further', async () => {
    const { db } = engine;
    const identity = await storePayment(db);
    const stands = (status: 'capturing' | 'partially_captured', version: number) =>
      transition(identity, withOwnIds(payment(status), identity), version);
    const attempt = newAttempt();
    const attemptId = await beginAttempt(db, stands('capturing', 5), attempt);
    await writeTransition(db, stands('capturing', 9));
    const answered = {
      attemptId: attemptId ?? 0,
      outcome: 'answered',
      event: { type: 'voidConfirmed' },
    } as const;
    await writeAttemptOutcome(db, stands('partially_captured', 6), { ...answered, at: new Date() });
    // Callers who wait for something newer than 9 are to see it.
    expect(await findPayment(db, identity)).toMatchObject({ status: 'partially_captured', version: 10 });
  });

  it('end as their run does, where a look that was lost with its worker had led them further', async () => {
    const { db } = engine;
    const identity = await storePayment(db);
    const write = (status: 'authorized' | 'expired', version: number) =>
      writeTransition(db, transition(identity, withOwnIds(payment(status), identity), version));
    await write('authorized', 9);
    await write('expired', 6);
    expect(await findPayment(db, identity)).toMatchObject({ status: 'expired', version: 10 });
  });

  it.each([
    ['voided', 'void', 'succeeded'],
    ['captured', 'void', 'failed'],
    ['captured', 'capture', 'failed'],
  ] as const)('of one that has ended %s leave no %s under way: it has %s', async (end, kind, status) => {
    const { db } = engine;
    const identity = await storePayment(db);
    const commandId = `${identity.paymentId}:expiry-policy`;
    const begun = { commandId, kind, status: 'executing' } as const;
    await writeTransition(db, { ...transition(identity, payment('authorized'), 1), commands: [begun] });
    await writeTransition(db, transition(identity, withOwnIds(payment(end), identity), 2));
    expect(await findCommand(db, commandId)).toMatchObject({ status, result: { code: 'overtaken' } });
  });

  it('end at the newest of 20 versions that are written at once', async () => {
    const { db } = engine;
    const identity = await storePayment(db);
    await atOnce(20, (nth) => writeTransition(db, transition(identity, payment('authorized'), nth)));
    expect((await findPayment(db, identity))?.version).toBe(19);
  });

  it('hold one timeline entry for each version, however often it is written', async () => {
    const { db } = engine;
    const identity = await storePayment(db);
    const timeline = [1, 2].map((version) => entry(version));
    await atOnce(5, () =>
      writeTransition(db, { ...transition(identity, payment('authorized'), 2), timeline }),
    );
    const story = await listTimeline(db, identity.paymentId);
    expect(story.map(({ version, event, kind }) => [version, event, kind])).toEqual([
      [1, 'payerApproved', 'moved'],
      [2, 'payerApproved', 'moved'],
    ]);
  });

  it('are all written, or none of them', async () => {
    const { db } = engine;
    const identity = await storePayment(db);
    const unwritable = {
      ...transition(identity, payment('captured'), 9),
      calls: [
        { operation: 'x', method: 'GET', path: '/', status: 1e12, startedAt: new Date(), durationMs: 1 },
      ],
    };
    await expect(writeTransition(db, unwritable)).rejects.toThrow(/integer/);
    expect(await findPayment(db, identity)).toMatchObject({ status: 'creating', version: 0 });
  });
});

async function beginCapture(): Promise<{ identity: PaymentIdentity; attemptId: number }> {
  const identity = await storePayment(engine.db);
  const attemptId = await beginAttempt(
    engine.db,
    transition(identity, payment('capturing'), 1),
    newAttempt(),
  );
  return { identity, attemptId: attemptId! };
}

const declined = (reason: string): StepEvent => ({ type: 'stepDeclined', reason });

function outcomeRecord(attemptId: number, outcome: AttemptOutcome): NewOutcome {
  return { attemptId, outcome, event: declined(outcome), at: new Date() };
}

function entry(version: number): TimelineEntry {
  return {
    version,
    event: 'payerApproved',
    kind: 'moved',
    from: 'awaiting_approval',
    to: 'authorizing',
    at: Date.now(),
  };
}

async function attemptOf({ paymentId }: PaymentIdentity, attemptNumber: number) {
  const attempts = await findAttempts(engine.db, paymentId, 'cmd_2');
  return attempts.find(({ attempt_number: number }) => number === attemptNumber);
}
