import { describe, expect, it } from 'vitest';
import * as simulated from '#proof/simulator/rows/restores.js';
import { acceptCommand, listAttempts } from '#database/commands';
import * as restores from '#database/commands/restores.js';
import { beginAttempt } from '#database/transitions';
import { paymentSubject } from '#workflows/contract';
import { day, payment } from '../lifecycle/payment/sample-payments.js';
import { modelDatabase, orderedInModel } from './compared-rows.js';
import {
  captureCommand,
  newAttempt,
  newIdentity,
  storePayment,
  transition,
  useEngineDatabase,
} from './engine-database.js';

const engine = useEngineDatabase();
const restoredAt = new Date('2026-02-01T00:00:00.000Z');
const before = (ms: number) => restoredAt.getTime() - ms;

describe('an attempt that may have been lost in a restore', () => {
  it.each([
    [before(1), before(1), true],
    [before(0), before(1), false],
    [before(1), before(1 - day), true],
    [before(1), before(-day), false],
    [before(1), undefined, true],
    [undefined, undefined, true],
  ])(
    'is one of a payment of %i with a request of %i (%s) in the simulated rows as in PostgreSQL',
    async (ofPayment, ofCommand, mayBeLost) => {
      const { db } = engine;
      const identity = newIdentity();
      const { paymentId } = identity;
      const commandId = `${paymentId}-asked`;
      const rows = orderedInModel(identity);
      const [row, command] = [rows.subjects.get(paymentId), rows.commands.get(commandId)];
      if (!row || !command) throw new Error('no rows');
      if (ofPayment === undefined) rows.subjects.delete(paymentId);
      else {
        await storePayment(db, identity);
        await setCreated('payments', paymentId, ofPayment);
        rows.subjects.set(paymentId, { ...row, createdAt: ofPayment });
      }
      if (ofCommand !== undefined) {
        await acceptCommand(db, captureCommand(identity, { id: commandId }));
        await setCreated('commands', commandId, ofCommand);
        rows.commands.write({ ...command, createdAt: ofCommand });
      }
      const asked = [paymentSubject(identity), ofCommand === undefined ? undefined : commandId] as const;
      expect(await restores.mayHaveLostAttempt(db, ...asked, restoredAt)).toBe(mayBeLost);
      expect(await simulated.mayHaveLostAttempt(modelDatabase(rows), ...asked, restoredAt)).toBe(mayBeLost);
    },
  );
});

it('lost attempts are written, and others are kept, in the simulated rows as in PostgreSQL', async () => {
  const { db } = engine;
  const identity = await storePayment(db);
  const { paymentId } = identity;
  const rows = orderedInModel(identity);
  const change = transition(identity, payment('capturing'), 1);
  const known = newAttempt({ stepName: paymentId, attemptNumber: 1 });
  await beginAttempt(db, change, known);
  rows.beginAttempt(change, known);
  const lost = [0, 1, 2].map((attempt_number) => {
    const identityOfLost = { request_id: `${paymentId}-${attempt_number}`, reference: `${attempt_number}` };
    return { step_name: paymentId, attempt_number, step: known.step, ...identityOfLost };
  });
  await restores.writeLostAttempts(db, paymentId, lost);
  await simulated.writeLostAttempts(modelDatabase(rows), paymentId, lost);
  expect(rows.attempts.map(withoutOwn)).toEqual((await listAttempts(db, paymentId)).map(withoutOwn));
  const sendable = rows.attempts.filter(({ begun_at, send_by }) => send_by > begun_at);
  expect(sendable.map((row) => row.attempt_number)).toEqual([1]);
});

/** Ids and dates are those of their own side. */
function withoutOwn<Row extends { id: unknown; begun_at: unknown; send_by: unknown }>(row: Row) {
  const { id: _id, begun_at: _begun, send_by: _by, ...others } = row;
  return others;
}

async function setCreated(table: 'payments' | 'commands', id: string, at: number): Promise<void> {
  await engine.db
    .updateTable(table)
    .set({ created_at: new Date(at) })
    .where('id', '=', id)
    .execute();
}
