import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  EndOnRecordError,
  LateTaskError,
  beginAttempt,
  writeAttemptOutcome,
  writeTransition,
} from '#database/transitions/write-transition.js';
import { findPayment } from '#database/subjects';
import type { Database } from '#database/connection';
import type { PaymentState, PaymentStatus } from '#workflows/lifecycle/payment';
import { capture, inDoubt, payment } from '../lifecycle/payment/sample-payments.js';
import { refund } from '../lifecycle/refund/sample-refunds.js';
import { until } from '../helpers/until.js';
import { newAttempt, newId, owner, storePayment, useEngineDatabase, withOwnIds } from './engine-database.js';
import { StoredRefund } from './stored-refund.js';
import {
  going,
  receiversOf,
  register,
  notificationsOf,
  notificationTypesOf,
} from './subject-notifications.js';

const engine = useEngineDatabase();
beforeEach(async () => {
  await engine.db.deleteFrom('notification_endpoints').execute();
});

const earlierTask = Date.parse('2026-01-01T12:00:00Z');
const laterTask = earlierTask + 10_000;

async function waitingStatements(db: Database): Promise<number> {
  const { rows } = await sql`select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows.length;
}

describe('a transition', () => {
  it('tells what it means with the state that it wrote, to each endpoint that takes it', async () => {
    const [all, , captures] = [
      await register(engine.db),
      await register(engine.db, [], 'bookshop'),
      await register(engine.db, ['payment.captured']),
    ];
    const identity = await storePayment(engine.db);
    const { paymentId } = identity;
    await writeTransition(engine.db, going(identity, 'authorizing', 'authorized', 3));
    await writeTransition(engine.db, going(identity, 'capturing', 'captured', 4));
    expect(await notificationsOf(engine.db, paymentId)).toMatchObject([
      { type: 'payment.authorized', version: 3, state: { status: 'authorized' } },
      { type: 'payment.captured', version: 4, state: { status: 'captured' } },
    ]);
    expect((await receiversOf(engine.db, paymentId)).toSorted()).toEqual([all, all, captures].toSorted());
  });

  it('tells nothing where the application has no endpoint, and records it where the endpoint is disabled', async () => {
    const identity = await storePayment(engine.db);
    await register(engine.db, [], 'bookshop');
    await writeTransition(engine.db, going(identity, 'authorizing', 'authorized', 3));
    expect(await notificationsOf(engine.db, identity.paymentId)).toEqual([]);
    const id = await register(engine.db);
    await engine.db
      .updateTable('notification_endpoints')
      .set({ status: 'disabled' })
      .where('id', '=', id)
      .execute();
    await writeTransition(engine.db, going(identity, 'voiding', 'voided', 4));
    expect(await notificationTypesOf(engine.db, identity.paymentId)).toEqual(['payment.voided']);
    const sent = await engine.db
      .selectFrom('notification_deliveries')
      .select(['endpoint_id', 'state'])
      .where('lane', '=', identity.paymentId)
      .execute();
    expect(sent).toEqual([{ endpoint_id: id, state: 'failed' }]);
  });

  it('that is refused, because the row has ended or a newer task has written, tells nothing', async () => {
    await register(engine.db);
    const identity = await storePayment(engine.db);
    await writeTransition(
      engine.db,
      going(identity, 'authorizing', 'authorized', 3, { taskStartedAt: laterTask }),
    );
    const late = going(identity, 'capturing', 'captured', 4, { taskStartedAt: earlierTask });
    await expect(writeTransition(engine.db, late)).rejects.toThrow(LateTaskError);
    await writeTransition(engine.db, going(identity, 'authorized', 'expired', 5));
    for (const end of ['captured', 'voided', 'declined'] as const)
      await expect(writeTransition(engine.db, going(identity, 'authorized', end, 6))).rejects.toThrow(
        EndOnRecordError,
      );
    expect(await notificationTypesOf(engine.db, identity.paymentId)).toEqual([
      'payment.authorized',
      'payment.expired',
    ]);
  });

  it('has one notification, whichever task does it again and under whatever version', async () => {
    await register(engine.db);
    const identity = await storePayment(engine.db);
    for (const [version, taskStartedAt] of [
      [3, earlierTask],
      [3, earlierTask],
      [5, laterTask],
    ] as const)
      await writeTransition(
        engine.db,
        going(identity, 'authorizing', 'authorized', version, { taskStartedAt }),
      );
    expect(await notificationTypesOf(engine.db, identity.paymentId)).toEqual(['payment.authorized']);
  });

  it('whose row is kept, because it would undo a final capture, tells what the row shows', async () => {
    await register(engine.db);
    const identity = await storePayment(engine.db);
    const captured = going(identity, 'capturing', 'partially_captured', 3, { taskStartedAt: earlierTask });
    const captures = [capture(30_00)];
    await writeTransition(engine.db, { ...captured, state: { ...captured.state, captures } });
    const older = going(identity, 'authorized', 'authorized', 4, { taskStartedAt: laterTask });
    const [line] = older.timeline;
    const timeline = [{ ...line!, event: 'honourPeriodNearedEnd' }];
    await writeTransition(engine.db, { ...older, timeline });
    expect(await notificationsOf(engine.db, identity.paymentId)).toMatchObject([
      { type: 'payment.partially_captured', state: { status: 'partially_captured' } },
      // The payload is made of the row.
      { type: 'payment.hold_expiring', state: null },
    ]);
  });

  it('keeps the refunds that its notification shows, also one that it had to wait for', async () => {
    await register(engine.db);
    const identity = await storePayment(engine.db);
    const refundWith = (db: Database) => new StoredRefund(db, owner, identity.paymentId, newId('REF'));
    await writeTransition(engine.db, going(identity, 'authorizing', 'authorized', 3));
    await refundWith(engine.db).write(refund('pending'), 2);
    const written = await engine.db.transaction().execute(async (trx) => {
      await refundWith(trx).write(refund('completed'), 2);
      const transition = writeTransition(engine.db, going(identity, 'capturing', 'captured', 4));
      await until(
        () => waitingStatements(engine.db),
        (count) => count > 0,
        'the transition to wait',
      );
      return { transition };
    });
    await written.transition;
    const then = await findPayment(engine.db, identity);
    await refundWith(engine.db).write(refund('completed'), 2);
    expect(then?.refunds.length).toBe(2);
    const { refunds, refund_changes } = then!;
    expect(await notificationsOf(engine.db, identity.paymentId)).toMatchObject([
      { type: 'payment.authorized', refunds: null, refund_changes: 0 },
      { type: 'payment.captured', refunds, refund_changes },
    ]);
  });

  it('does not tell an endpoint of the denial of a capture that was denied before it was registered', async () => {
    const identity = await storePayment(engine.db);
    const write = async (version: number, event: string, ...captureIds: string[]) => {
      const { state, timeline, ...transition } = going(identity, 'authorized', 'authorized', version);
      const captures = captureIds.map((captureId) => capture(30_00, { captureId, status: 'denied' }));
      const lines = timeline.map((line) => ({ ...line, event }));
      await writeTransition(engine.db, { ...transition, state: { ...state, captures }, timeline: lines });
    };
    await write(3, 'providerObserved', 'CAP-1');
    await register(engine.db);
    await write(4, 'honourPeriodNearedEnd', 'CAP-1');
    expect(await notificationTypesOf(engine.db, identity.paymentId)).toEqual(['payment.hold_expiring']);
    await write(5, 'providerObserved', 'CAP-1', 'CAP-2');
    await write(6, 'providerObserved', 'CAP-1', 'CAP-2');
    expect(await notificationTypesOf(engine.db, identity.paymentId)).toEqual([
      'payment.hold_expiring',
      'payment.capture_failed',
    ]);
  });

  it('tells that a payment waits for its payer again if an execution of it was in doubt, and not otherwise', async () => {
    await register(engine.db);
    const identity = await storePayment(engine.db);
    const write = async (version: number, state: PaymentState, from: PaymentStatus, event: string) => {
      const { timeline, ...transition } = going(identity, from, state.status, version);
      const lines = timeline.map((line) => ({ ...line, event }));
      await writeTransition(engine.db, {
        ...transition,
        state: withOwnIds(state, identity),
        timeline: lines,
      });
    };
    const waiting = payment('awaiting_approval');
    const executing = inDoubt(payment('authorizing'));
    await write(3, inDoubt(payment('creating')), 'creating', 'outcomeUnknown');
    await write(4, waiting, 'creating', 'paymentCreated');
    await write(5, executing, 'authorizing', 'outcomeUnknown');
    const again = { ...waiting, stepsBegun: executing.stepsBegun };
    await write(6, again, 'authorizing', 'approvalFoundMissing');
    await write(7, { ...again, stepsBegun: again.stepsBegun + 1 }, 'authorizing', 'approvalFoundMissing');
    expect(await notificationTypesOf(engine.db, identity.paymentId)).toEqual([
      'payment.in_doubt',
      'payment.awaiting_approval',
      'payment.in_doubt',
      'payment.awaiting_approval',
    ]);
  });

  it('of a task that took over from another one has the version that callers see', async () => {
    await register(engine.db);
    const identity = await storePayment(engine.db);
    for (const [from, to, version, taskStartedAt] of [
      ['authorizing', 'authorized', 7, earlierTask],
      ['capturing', 'captured', 4, laterTask],
    ] as const)
      await writeTransition(
        engine.db,
        going(identity, from, to, version, { taskStartedAt, knownVersion: 2 }),
      );
    const shown = (await findPayment(engine.db, identity))?.shown_version;
    expect(await notificationsOf(engine.db, identity.paymentId)).toMatchObject([
      { version: 7 },
      { type: 'payment.captured', version: shown },
    ]);
  });

  it('with an attempt tells with the outcome that counts, and not with one that came too late', async () => {
    await register(engine.db);
    const identity = await storePayment(engine.db);
    await beginAttempt(engine.db, going(identity, 'authorized', 'capturing', 3), newAttempt());
    const attemptId = (
      await engine.db
        .selectFrom('attempts')
        .select('id')
        .where('subject_id', '=', identity.paymentId)
        .executeTakeFirstOrThrow()
    ).id;
    const answered = {
      attemptId,
      outcome: 'answered',
      event: { type: 'captureAnswered' },
      at: new Date(),
    } as const;
    await writeAttemptOutcome(engine.db, going(identity, 'capturing', 'captured', 4), answered);
    await writeAttemptOutcome(engine.db, going(identity, 'capturing', 'declined', 5), answered).catch(
      () => undefined,
    );
    expect(await notificationTypesOf(engine.db, identity.paymentId)).toEqual(['payment.captured']);
  });
});
