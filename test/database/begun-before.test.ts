import { describe, expect, it } from 'vitest';
import { acceptCommand, findCommand } from '#database/commands';
import { poolOf } from '#database/connection/database.js';
import { beginAttempt, paymentRecords, writeAttemptOutcome } from '#database/transitions';
import { transitionStatement } from '#database/transitions/transition-statement.js';
import { transitionValues } from '#database/transitions/transition-values.js';
import type { Transition } from '#database/transitions/write-transition.js';
import type { PaymentState } from '#workflows/lifecycle/payment';
import { payment } from '../lifecycle/payment/sample-payments.js';
import {
  captureCommand,
  newAttempt,
  useEngineDatabase,
  storePayment,
  transition,
  withOwnIds,
} from './engine-database.js';

const engine = useEngineDatabase();

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
  it.each([
    ['subject', 'write_1', 'write_2'],
    ['command', 'write_6', 'write_7'],
  ])('does so in whatever order the write of the %s comes', async (_what, refusing, next) => {
    const { begin, attempt } = await answeredCapture();
    const text = transitionStatement(paymentRecords, 'begin', { hasNews: false })
      .textFor(engine.db)
      .replace(/( returning id(?:, \w+)*)?\), (write_\d) as/g, (end, returning, name) =>
        name === next && !returning ? ` returning commands.id), ${name} as` : end,
      )
      .replace('select id from first', `select id from ${refusing}`);
    const { stepName, attemptNumber } = attempt;
    const record = { step_name: stepName, attempt_number: attemptNumber, step: {}, send_within_ms: 1 };
    const again = [...transitionValues(begin), { ...record, request_id: 'again', reference: 'again' }];
    const constraint = 'attempts_subject_id_step_name_attempt_number_key';
    await expect(poolOf(engine.db).query(text, again)).rejects.toMatchObject({ constraint });
  });
});
