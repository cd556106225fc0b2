import { describe, expect, it } from 'vitest';
import { findCommand } from '#database/commands';
import { findPayment } from '#database/subjects';
import { listTimeline, beginAttempt, writeAttemptOutcome, writeTransition } from '#database/transitions';
import type { TimelineEntry } from '#workflows/lifecycle';
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

describe('the rows of a payment', () => {
  it('never go back to an older version, whichever worker writes late', async () => {
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

  it('follow the attempt whose outcome is recorded, even after a read that was lost with its worker had moved them on', async () => {
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

  it('end as their run does, even after a read that was lost with its worker had moved them on', async () => {
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
    const lines = await listTimeline(db, identity.paymentId);
    expect(lines.map(({ version, event, kind }) => [version, event, kind])).toEqual([
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
