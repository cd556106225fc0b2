import { describe, expect, it } from 'vitest';
import type { StepEvent } from '#workflows/lifecycle/step';
import { readClock } from '#database/commands';
import { findPayment } from '#database/subjects';
import type { AttemptOutcome } from '#database/schema';
import { type NewOutcome, beginAttempt, findAttempts, writeAttemptOutcome } from '#database/transitions';
import type { PaymentIdentity } from '#workflows/contract';
import { payment } from '../lifecycle/payment/sample-payments.js';
import {
  atOnce,
  newAttempt,
  useEngineDatabase,
  storePayment,
  transition,
  withOwnIds,
} from './engine-database.js';

const engine = useEngineDatabase();

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
  ] as const)('%s can be recorded again: %s', async (first, again) => {
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

  it('keeps the event and the instant from which a repeated activity continues', async () => {
    const { db } = engine;
    const { identity, attemptId } = await beginCapture();
    const settled = outcomeRecord(attemptId, 'declined');
    await writeAttemptOutcome(db, transition(identity, payment('partially_captured'), 2), settled);
    const attempt = await attemptOf(identity, 0);
    expect(attempt?.event).toEqual(settled.event);
    expect(attempt?.settled_at?.getTime()).toBe(settled.at.getTime());
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

async function attemptOf({ paymentId }: PaymentIdentity, attemptNumber: number) {
  const attempts = await findAttempts(engine.db, paymentId, 'cmd_2');
  return attempts.find(({ attempt_number: number }) => number === attemptNumber);
}
