import { describe, expect, it } from 'vitest';
import { acceptCommand, findCommand } from '#database/commands';
import { findPayment } from '#database/subjects';
import { listTimeline } from '#database/transitions';
import {
  EndOnRecordError,
  LateTaskError,
  beginAttempt,
  findAttempts,
  writeAttemptOutcome,
  writeTransition,
} from '#database/transitions/write-transition.js';
import type { PaymentIdentity } from '#workflows/contract';
import { captureCommand, newAttempt, useEngineDatabase, storePayment } from './engine-database.js';
import { earlierTask, entry, going, laterTask } from './task-writes.js';

const engine = useEngineDatabase();

async function rowOf(identity: PaymentIdentity) {
  return await findPayment(engine.db, identity);
}

describe('an end that was written', () => {
  it.each([
    ['awaiting_approval', 'cancelled'],
    ['awaiting_approval', 'declined'],
    ['awaiting_approval', 'authorizing'],
    ['awaiting_approval', 'awaiting_approval'],
  ] as const)('is not left by a worker that knows it as %s, for %s, under any version', async (from, to) => {
    const identity = await storePayment(engine.db);
    await writeTransition(engine.db, going(identity, 'awaiting_approval', 'expired', 3));
    for (const version of [2, 3, 9]) {
      for (const taskStartedAt of [undefined, earlierTask, laterTask]) {
        const late = writeTransition(engine.db, going(identity, from, to, version, { taskStartedAt }));
        await expect(late).rejects.toThrow(EndOnRecordError);
      }
    }
    expect(await rowOf(identity)).toMatchObject({ status: 'expired', version: 3 });
  });

  it('is returned to a worker that did not know it, with all columns of the row', async () => {
    const identity = await storePayment(engine.db);
    await writeTransition(engine.db, going(identity, 'awaiting_approval', 'expired', 3));
    const error = await writeTransition(
      engine.db,
      going(identity, 'awaiting_approval', 'cancelled', 4),
    ).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(EndOnRecordError);
    expect(error).toMatchObject({ position: { state: { status: 'expired' }, version: 3 } });
  });

  it('lets no attempt begin, so no money moves, and answers the caller who asked for it', async () => {
    const { db } = engine;
    const identity = await storePayment(db);
    const command = captureCommand(identity);
    await acceptCommand(db, command);
    await writeTransition(db, going(identity, 'authorized', 'expired', 3));
    const commands = [{ commandId: command.id, kind: 'capture', status: 'executing' }] as const;
    const begun = beginAttempt(db, going(identity, 'authorized', 'capturing', 4, { commands }), newAttempt());
    await expect(begun).rejects.toThrow(EndOnRecordError);
    expect(await findAttempts(db, identity.paymentId, 'cmd_2')).toEqual([]);
    expect(await findCommand(db, command.id)).toMatchObject({
      status: 'refused',
      result: { code: 'not_allowed_in_state', reason: 'It has ended expired.' },
    });
  });

  it('does not show a cancellation as succeeded that came when it had expired', async () => {
    const { db } = engine;
    const identity = await storePayment(db);
    const cancellation = { ...captureCommand(identity), kind: 'cancel' } as const;
    await acceptCommand(db, cancellation);
    await writeTransition(db, going(identity, 'awaiting_approval', 'expired', 3));
    const outcome = { commandId: cancellation.id, kind: 'cancel', status: 'succeeded' } as const;
    const commands = [{ ...outcome, isUncalled: true }] as const;
    const late = writeTransition(db, going(identity, 'awaiting_approval', 'cancelled', 4, { commands }));
    await expect(late).rejects.toThrow(EndOnRecordError);
    expect(await findCommand(db, cancellation.id)).toMatchObject({
      status: 'refused',
      result: { code: 'not_allowed_in_state', reason: 'It has ended expired.' },
    });
  });

  it('answers no command of another payment, whichever a message named', async () => {
    const { db } = engine;
    const [identity, other] = [await storePayment(db), await storePayment(db)];
    const command = captureCommand(other);
    await acceptCommand(db, command);
    await writeTransition(db, going(identity, 'authorized', 'expired', 3));
    const commands = [{ commandId: command.id, kind: 'capture', status: 'refused' }] as const;
    const late = writeTransition(db, going(identity, 'authorized', 'authorized', 4, { commands }));
    await expect(late).rejects.toThrow(EndOnRecordError);
    expect(await findCommand(db, command.id)).toMatchObject({ status: 'accepted' });
  });

  it('keeps the outcome of a late attempt as evidence, and stays', async () => {
    const { db } = engine;
    const identity = await storePayment(db);
    const attemptId = await beginAttempt(db, going(identity, 'authorized', 'capturing', 1), newAttempt());
    await writeTransition(db, going(identity, 'capturing', 'captured', 5));
    const late = {
      attemptId: attemptId ?? 0,
      outcome: 'unknown',
      event: { type: 'outcomeUnknown' },
    } as const;
    const settled = writeAttemptOutcome(db, going(identity, 'capturing', 'capturing', 2), {
      ...late,
      at: new Date(),
    });
    await expect(settled).rejects.toThrow(EndOnRecordError);
    expect(await rowOf(identity)).toMatchObject({ status: 'captured', version: 5 });
    expect(await findAttempts(db, identity.paymentId, 'cmd_2')).toMatchObject([{ outcome: 'unknown' }]);
  });

  it('can still be reported by a worker that knows it', async () => {
    const identity = await storePayment(engine.db);
    await writeTransition(engine.db, going(identity, 'authorized', 'captured', 3));
    await writeTransition(engine.db, going(identity, 'captured', 'captured', 4));
    expect(await rowOf(identity)).toMatchObject({ status: 'captured', version: 4 });
  });

  it('keeps what a repeated read has shown when its run never received the first one', async () => {
    const identity = await storePayment(engine.db);
    const ended = { taskStartedAt: earlierTask };
    await writeTransition(engine.db, going(identity, 'authorized', 'captured', 3, ended));
    const reading = (reason: string, version: number) => {
      const read = going(identity, 'captured', 'captured', version, { taskStartedAt: laterTask });
      return writeTransition(engine.db, { ...read, state: { ...read.state, reason } });
    };
    await reading('It could not be read.', 4);
    await reading('It was read.', 4);
    expect(await rowOf(identity)).toMatchObject({ status: 'captured', state: { reason: 'It was read.' } });
    await reading('It was read long before.', 3);
    expect(await rowOf(identity)).toMatchObject({ status: 'captured', state: { reason: 'It was read.' } });
  });
});

it('a refused command is never begun, whichever worker continues it', async () => {
  const { db } = engine;
  const identity = await storePayment(db);
  const command = captureCommand(identity);
  await acceptCommand(db, command);
  const refused = { commandId: command.id, kind: 'capture', status: 'refused' } as const;
  const result = { code: 'amount_exceeds_capturable', reason: 'At most 5.00 USD can be captured.' };
  await writeTransition(
    db,
    going(identity, 'authorized', 'authorized', 3, { commands: [{ ...refused, result }] }),
  );
  const commands = [{ commandId: command.id, kind: 'capture', status: 'executing' }] as const;
  const begun = beginAttempt(db, going(identity, 'authorized', 'capturing', 4, { commands }), newAttempt());
  await expect(begun).rejects.toMatchObject({ name: 'CommandEndedError', reason: result.reason });
  expect(await findAttempts(db, identity.paymentId, 'cmd_2')).toEqual([]);
  expect(await rowOf(identity)).toMatchObject({ status: 'authorized', version: 3 });
  expect(await findCommand(db, command.id)).toMatchObject({ status: 'refused', result });
});

describe('a worker whose task another one has taken over', () => {
  it('writes nothing that is later than what the other one wrote', async () => {
    const { db } = engine;
    const identity = await storePayment(db);
    const command = captureCommand(identity);
    await acceptCommand(db, command);
    const newer = { taskStartedAt: laterTask };
    await writeTransition(db, going(identity, 'awaiting_approval', 'authorized', 2, newer));
    const refused = [{ commandId: command.id, kind: 'capture', status: 'refused' }] as const;
    for (const to of ['awaiting_approval', 'expired', 'cancelled'] as const) {
      const older = { taskStartedAt: earlierTask, commands: refused, timeline: [entry('payerCancelled', 7)] };
      const late = writeTransition(db, going(identity, 'awaiting_approval', to, 7, older));
      // So that a run which goes on all the same does not take it for written.
      await expect(late).rejects.toThrow(LateTaskError);
    }
    expect(await rowOf(identity)).toMatchObject({ status: 'authorized', version: 2 });
    expect(await findCommand(db, command.id)).toMatchObject({ status: 'accepted' });
    expect(await listTimeline(db, identity.paymentId)).toEqual([]);
  });

  it('records the outcome of its attempt, which the other one uses, and writes nothing else', async () => {
    const { db } = engine;
    const identity = await storePayment(db);
    const [older, newer] = [{ taskStartedAt: earlierTask }, { taskStartedAt: laterTask }];
    const capturing = going(identity, 'authorized', 'capturing', 1, older);
    const attemptId = (await beginAttempt(db, capturing, newAttempt())) ?? 0;
    await writeTransition(db, going(identity, 'capturing', 'needs_review', 3, newer));
    const answer = { attemptId, outcome: 'answered', event: { type: 'captureAnswered' } } as const;
    const late = going(identity, 'capturing', 'captured', 2, older);
    expect(await writeAttemptOutcome(db, late, { ...answer, at: new Date() })).toBe('late');
    expect(await rowOf(identity)).toMatchObject({ status: 'needs_review', version: 3 });
    expect(await findAttempts(db, identity.paymentId, 'cmd_2')).toMatchObject([{ outcome: 'answered' }]);
  });
});

it('a newer task is written whatever a lost read has left, and its timeline replaces the lost one', async () => {
  const { db } = engine;
  const identity = await storePayment(db);
  const lost = { taskStartedAt: earlierTask, timeline: [entry('providerObserved', 2)] };
  await writeTransition(db, going(identity, 'awaiting_approval', 'voiding', 9, lost));
  const lived = { taskStartedAt: laterTask, timeline: [entry('payerApproved', 2)] };
  await writeTransition(db, going(identity, 'awaiting_approval', 'authorized', 2, lived));
  expect(await rowOf(identity)).toMatchObject({ status: 'authorized', version: 10 });
  expect(await listTimeline(db, identity.paymentId)).toMatchObject([{ version: 2, event: 'payerApproved' }]);
  // Whatever the same task reads next is written too, though the row counts further than its run.
  await writeTransition(db, going(identity, 'authorized', 'voiding', 3, { taskStartedAt: laterTask }));
  expect(await rowOf(identity)).toMatchObject({ status: 'voiding', version: 11 });
  await writeTransition(db, going(identity, 'voiding', 'authorized', 2, { taskStartedAt: laterTask }));
  expect(await rowOf(identity)).toMatchObject({ status: 'voiding', version: 11 });
});
