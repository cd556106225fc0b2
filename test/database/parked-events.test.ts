import { describe, expect, it } from 'vitest';
import { markWebhookEvent } from '#database/events/event-lease.js';
import { beginAttempt } from '#database/transitions';
import { journalWebhookEvent, lockSubjectOf, takeShownEvent } from '#database/events';
import type { PaymentIdentity } from '#workflows/contract';
import { until } from '../helpers/until.js';
import { payment } from '../lifecycle/payment/sample-payments.js';
import { waitingForLocks } from '../helpers/waiting-for-locks.js';
import { grant, journalAndDispatch } from './dispatched-events.js';
import {
  leaseWebhookEvent,
  atOnce,
  authorizationEvent,
  eventRow,
  leased,
  newAttempt,
  owner,
  useEngineDatabase,
  storePayment,
  transition,
  withOwnIds,
} from './engine-database.js';

const engine = useEngineDatabase();

const rowOf = (id: number) => eventRow(engine.db, id);

describe('an event that came while its step was under way', () => {
  it('is finished in the transaction that writes what it says', async () => {
    const { identity, attemptId } = await beginExecution();
    const id = await journalAndDispatch(engine.db, identity);
    expect(await rowOf(id)).toMatchObject({ status: 'parked' });
    await grant(engine.db, identity, attemptId);
    expect(await rowOf(id)).toMatchObject({
      status: 'applied',
      detail: 'nothing new',
      subject_id: identity.paymentId,
    });
  });

  it('is dispatched again when it says more than the answer did', async () => {
    const { identity, attemptId } = await beginExecution();
    const id = await journalAndDispatch(engine.db, identity, 'voided');
    await grant(engine.db, identity, attemptId);
    expect(await rowOf(id)).toMatchObject({ status: 'received', subject_id: identity.paymentId });
    expect(await leaseWebhookEvent(engine.db, id, 60_000)).toBeDefined();
  });

  it('is dispatched again also when the answer names no resource of it', async () => {
    const { identity, attemptId } = await beginExecution();
    const refundId = `REF-${identity.paymentId}`;
    const { id } = await journalWebhookEvent(engine.db, {
      ...authorizationEvent(identity),
      eventType: 'PAYMENT.CAPTURE.REFUNDED',
      resource: { kind: 'refund', id: refundId, state: 'completed' },
      resourceIds: [refundId],
    });
    const parked = { subjectId: identity.paymentId, dueInMs: 60_000 };
    await markWebhookEvent(engine.db, await leased(engine.db, id), 'parked', parked);
    await grant(engine.db, identity, attemptId);
    expect(await rowOf(id)).toMatchObject({
      status: 'received',
      detail: 'the step it waited for has ended',
      subject_id: identity.paymentId,
    });
  });

  it('keeps no caller waiting: the answer is sent before the event is released', async () => {
    const { identity, attemptId } = await beginExecution();
    const id = await journalAndDispatch(engine.db, identity);
    const reported = Promise.withResolvers<void>();
    let granting: Promise<void> | undefined;
    await engine.db.transaction().execute(async (trx) => {
      await trx.selectFrom('webhook_events').select('id').where('id', '=', id).forUpdate().execute();
      granting = grant(engine.db, identity, attemptId, reported.resolve);
      await reported.promise;
      expect(await rowOf(id)).toMatchObject({ status: 'parked' });
    });
    await granting;
    expect(await rowOf(id)).toMatchObject({ status: 'applied' });
  });

  it('is not finished if the provider has shown more of it since it was read, and it was parked again', async () => {
    const { db } = engine;
    const { identity, attemptId } = await beginExecution();
    const id = await journalAndDispatch(db, identity);
    const voided = { ...authorizationEvent(identity, 'voided'), eventId: (await rowOf(id)).event_id };
    let granting: Promise<void> | undefined;
    await db.transaction().execute(async (trx) => {
      await trx.selectFrom('webhook_events').select('id').where('id', '=', id).forUpdate().execute();
      granting = grant(db, identity, attemptId);
      await until(
        () => waitingForLocks(db),
        (waiting) => waiting > 0,
        'the release to have read the event and to wait for it',
      );
      expect(await takeShownEvent(trx, owner, voided)).toBe(id);
      await markWebhookEvent(trx, await leased(trx, id), 'parked', { dueInMs: 60_000 });
    });
    await granting;
    expect(await rowOf(id)).toMatchObject({ status: 'parked', resource: { state: 'voided' } });
  });

  it('is never left parked, whichever of dispatcher and answer is first', async () => {
    const raced = await atOnce(20, async () => {
      const { identity, attemptId } = await beginExecution();
      const [id] = await Promise.all([
        journalAndDispatch(engine.db, identity),
        grant(engine.db, identity, attemptId),
      ]);
      return (await rowOf(id)).status;
    });
    expect(new Set(raced)).toEqual(new Set(['applied']));
  });

  it('is claimed also when the answer comes between the read of the payment and the parking', async () => {
    const { db } = engine;
    const { identity, attemptId } = await beginExecution();
    const { id } = await journalWebhookEvent(db, authorizationEvent(identity));
    const event = await leased(db, id);
    let answer: Promise<void> | undefined;
    let isWritten = false;
    await db.transaction().execute(async (trx) => {
      await lockSubjectOf(trx, event);
      answer = grant(engine.db, identity, attemptId).then(() => void (isWritten = true));
      await until(
        () => waitingForLocks(engine.db),
        (waiting) => waiting > 0 || isWritten,
        'the answer to wait for the payment',
      );
      await markWebhookEvent(trx, event, 'parked');
    });
    await answer;
    expect(await rowOf(id)).toMatchObject({ status: 'applied' });
  });

  it('stays with its payment: the answers of others do not claim it', async () => {
    const [mine, other] = [await beginExecution(), await beginExecution()];
    const id = await journalAndDispatch(engine.db, mine.identity);
    await grant(engine.db, other.identity, other.attemptId);
    expect(await rowOf(id)).toMatchObject({ status: 'parked' });
  });
});

async function beginExecution(): Promise<{ identity: PaymentIdentity; attemptId: number }> {
  const identity = await storePayment(engine.db);
  const executing = transition(identity, withOwnIds(payment('authorizing'), identity), 2);
  const attemptId = await beginAttempt(engine.db, executing, newAttempt({ stepName: 'execute-2' }));
  return { identity, attemptId: attemptId! };
}
