import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { acceptCommand, findCommand } from '#database/commands';
import { beginAttempt, writeAttemptOutcome } from '#database/transitions';
import { writesOf } from '#database/transitions/transition-writes.js';
import type { Transition } from '#database/transitions/write-transition.js';
import type { PaymentState } from '#workflows/lifecycle/payment';
import { payment } from '../lifecycle/payment/sample-payments.js';
import {
  type EngineDatabase,
  captureCommand,
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

/** A capture that was begun, answered and reported, and the same begin once more, by a task that lost all of it. */
async function answeredCapture() {
  const { db } = engine;
  const identity = await storePayment(db);
  const command = captureCommand(identity);
  await acceptCommand(db, command);
  const at = (status: 'executing' | 'succeeded'): Pick<Transition<PaymentState>, 'commands'> => ({
    commands: [{ commandId: command.id, kind: 'capture', status }],
  });
  const begin = { ...transition(identity, payment('capturing'), 1), ...at('executing') };
  const attempt = newAttempt();
  const attemptId = (await beginAttempt(db, begin, attempt)) ?? 0;
  await writeAttemptOutcome(
    db,
    { ...transition(identity, withOwnIds(payment('captured'), identity), 2), ...at('succeeded') },
    { attemptId, outcome: 'answered', event: { type: 'captureAnswered' }, at: new Date() },
  );
  return { identity, command, begin, attempt };
}

describe('an attempt whose outcome is recorded, and whose command and subject are final', () => {
  it('counts as begun before, not as refused', async () => {
    const { command, begin, attempt } = await answeredCapture();
    expect(await beginAttempt(engine.db, begin, attempt)).toBeUndefined();
    expect(await findCommand(engine.db, command.id)).toMatchObject({ status: 'succeeded' });
  });

  // PostgreSQL runs first what the main query reads: here the writes that would refuse the statement.
  it.each(['first', 'last'] as const)('does so in whatever order the %s write comes', async (place) => {
    const { identity, begin } = await answeredCapture();
    const writes = writesOf(engine.db, begin, 'begin');
    const refusing = place === 'first' ? writes[0] : sql`${writes.at(-1)} returning id`;
    const again = sql`
      with first as (
        insert into attempts (subject_id, step_name, attempt_number, step, request_id, reference, begun_at, send_by)
        values (${identity.paymentId}, 'cmd_2', 0, '{}', 'again', 'again', now(), now()) returning id),
      refusing as (${refusing})
      select id from refusing`.execute(engine.db);
    const constraint = 'attempts_subject_id_step_name_attempt_number_key';
    await expect(again).rejects.toMatchObject({ constraint });
  });
});
