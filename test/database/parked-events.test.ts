import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { leaseWebhookEvent, lockSubjectOf, markWebhookEvent } from '#database/event-lease.js';
import { commitTogether, rowsOf } from '#database/transition-rows.js';
import { beginAttempt, writeAttemptOutcome, writeTransition } from '#database/transitions.js';
import { journalWebhookEvent } from '#database/webhook-events.js';
import type { PaymentIdentity } from '#workflows/contract/payment.js';
import { tellsNothingNew } from '#workflows/lifecycle/payment/notification.js';
import type { PaymentState } from '#workflows/lifecycle/payment/payment.js';
import { until } from '../helpers/until.js';
import { refund } from '../lifecycle/refund/sample-refunds.js';
import { StoredRefund } from './stored-refund.js';
import { capture, payment } from '../lifecycle/payment/sample-payments.js';
import {
  type EngineDatabase,
  atOnce,
  authorizationEvent,
  eventRow,
  leased,
  newAttempt,
  newIdentity,
  openEngineDatabase,
  park,
  parkedEvent,
  storePayment,
  transition,
  withOwnIds,
} from './engine-database.js';

let engine: EngineDatabase;
beforeAll(async () => {
  engine = await openEngineDatabase();
});
afterAll(async () => await engine.close());

const rowOf = (id: number) => eventRow(engine.db, id);

describe('an event that came while the step which it is about was under way', () => {
  it('is done with in the transaction that writes what it says', async () => {
    const { identity, attemptId } = await beginExecution();
    const id = await journalAndDispatch(identity);
    expect(await rowOf(id)).toMatchObject({ status: 'parked' });
    await grant(identity, attemptId);
    expect(await rowOf(id)).toMatchObject({
      status: 'applied',
      detail: 'nothing new',
      subject_id: identity.paymentId,
    });
  });

  it('is dispatched afresh when it says more than the answer did', async () => {
    const { identity, attemptId } = await beginExecution();
    const id = await journalAndDispatch(identity, 'voided');
    await grant(identity, attemptId);
    expect(await rowOf(id)).toMatchObject({ status: 'received', subject_id: identity.paymentId });
    expect(await leaseWebhookEvent(engine.db, id, 60_000)).toBeDefined();
  });

  it('is dispatched afresh also where the answer names no resource of it', async () => {
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
    await grant(identity, attemptId);
    expect(await rowOf(id)).toMatchObject({
      status: 'received',
      detail: 'the step it waited for has ended',
      subject_id: identity.paymentId,
    });
  });

  it('is never left parked, whichever of dispatcher and answer is first', async () => {
    const raced = await atOnce(20, async () => {
      const { identity, attemptId } = await beginExecution();
      const [id] = await Promise.all([journalAndDispatch(identity), grant(identity, attemptId)]);
      return (await rowOf(id)).status;
    });
    expect(new Set(raced)).toEqual(new Set(['applied']));
  });

  it('is claimed also when the answer comes between the look at the payment and the parking', async () => {
    const { db } = engine;
    const { identity, attemptId } = await beginExecution();
    const { id } = await journalWebhookEvent(db, authorizationEvent(identity));
    const event = await leased(db, id);
    let answer: Promise<void> | undefined;
    let isWritten = false;
    await db.transaction().execute(async (trx) => {
      await lockSubjectOf(trx, event);
      answer = grant(identity, attemptId).then(() => void (isWritten = true));
      await until(
        waitingForLocks,
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
    const id = await journalAndDispatch(mine.identity);
    await grant(other.identity, other.attemptId);
    expect(await rowOf(id)).toMatchObject({ status: 'parked' });
  });
});

describe('an event whose resource nobody knows', () => {
  it('is parked until the step that learns of the resource claims it', async () => {
    const identity = await storePayment(engine.db);
    const attemptId = await beginAttempt(
      engine.db,
      transition(identity, payment('creating'), 0),
      newAttempt(),
    );
    const id = await journalAndDispatch(identity);
    expect(await rowOf(id)).toMatchObject({ status: 'parked', subject_id: null });
    await grant(identity, attemptId!);
    expect(await rowOf(id)).toMatchObject({ status: 'applied', subject_id: identity.paymentId });
  });

  it.each([
    ['an observation that adopts a capture made elsewhere', observed],
    ['a step that another worker had settled', written],
  ])('is claimed by %s, in its own transaction', async (_what, write) => {
    const identity = await storePayment(engine.db);
    const captured = withOwnIds(
      { ...payment('partially_captured'), captures: [capture(40_00, { status: 'completed' })] },
      identity,
    );
    const [{ captureId } = { captureId: '' }] = captured.captures;
    const known = await parkedEvent(engine.db, identity, captureId, 'completed');
    const news = await parkedEvent(engine.db, identity, captureId, 'denied');
    await write(identity, captured);
    expect(await rowOf(known)).toMatchObject({ status: 'applied', subject_id: identity.paymentId });
    expect(await rowOf(news)).toMatchObject({ status: 'received', subject_id: identity.paymentId });
  });

  it('is claimed by the refund that turns out to be ours', async () => {
    const identity = await storePayment(engine.db);
    const providerRefundId = `REF-${identity.paymentId}`;
    const id = await parkedEvent(engine.db, identity, providerRefundId, 'completed');
    const stored = new StoredRefund(engine.db, identity, identity.paymentId, providerRefundId);
    await stored.write(refund('pending'), 1);
    expect(await rowOf(id)).toMatchObject({ status: 'received', subject_id: stored.id });
  });

  it('is not claimed by a state that came too late to be written', async () => {
    const identity = await storePayment(engine.db);
    const held = withOwnIds(payment('authorized'), identity);
    await writeTransition(engine.db, transition(identity, payment('awaiting_approval'), 5));
    const id = await parkedEvent(engine.db, identity, `AUTH-${identity.paymentId}`, 'authorized');
    await writeTransition(engine.db, transition(identity, held, 4));
    expect(await rowOf(id)).toMatchObject({ status: 'parked' });
  });

  it('is never left parked, whichever of dispatcher and recorder is first', async () => {
    const raced = await atOnce(20, async () => {
      const identity = await storePayment(engine.db);
      const held = withOwnIds(payment('authorized'), identity);
      const { id } = await journalWebhookEvent(engine.db, authorizationEvent(identity));
      const event = await leased(engine.db, id);
      const [isParked] = await Promise.all([
        park(engine.db, event),
        writeTransition(engine.db, transition(identity, held, 1)),
      ]);
      return isParked ? (await rowOf(id)).status : 'to be routed again';
    });
    expect([...new Set(raced)].filter((end) => end === 'parked')).toEqual([]);
  });

  it('waits for whoever is recording the resource just now, and is not parked then', async () => {
    const identity = await storePayment(engine.db);
    const held = withOwnIds(payment('authorized'), identity);
    const { id } = await journalWebhookEvent(engine.db, authorizationEvent(identity));
    const event = await leased(engine.db, id);
    let parking: Promise<boolean> | undefined;
    let isOver = false;
    await engine.db.transaction().execute(async (trx) => {
      const [first, ...others] = rowsOf(trx, transition(identity, held, 1), 'reading');
      await commitTogether(trx, first!, others);
      parking = park(engine.db, event).finally(() => (isOver = true));
      await until(waitingForLocks, (waiting) => waiting > 0 || isOver, 'the dispatcher to wait');
    });
    expect(await parking).toBe(false);
    expect(await rowOf(id)).toMatchObject({ status: 'dispatching' });
  });

  it('or that names no resource at all belongs to no payment', async () => {
    const { id } = await journalWebhookEvent(engine.db, {
      ...authorizationEvent(newIdentity()),
      resourceIds: [],
    });
    const event = await rowOf(id);
    expect(await engine.db.transaction().execute((trx) => lockSubjectOf(trx, event))).toBeUndefined();
  });

  it('is not taken for a resource of the same id at another application', async () => {
    const identity = await storePayment(engine.db);
    await writeTransition(engine.db, transition(identity, withOwnIds(payment('authorized'), identity), 1));
    const { id } = await journalWebhookEvent(engine.db, {
      ...authorizationEvent(identity),
      application: 'another',
    });
    const event = await rowOf(id);
    expect(await engine.db.transaction().execute((trx) => lockSubjectOf(trx, event))).toBeUndefined();
  });
});

async function beginExecution(): Promise<{ identity: PaymentIdentity; attemptId: number }> {
  const identity = await storePayment(engine.db);
  const executing = transition(identity, withOwnIds(payment('authorizing'), identity), 2);
  const attemptId = await beginAttempt(engine.db, executing, newAttempt({ stepName: 'execute-2' }));
  return { identity, attemptId: attemptId! };
}

async function grant(identity: PaymentIdentity, attemptId: number): Promise<void> {
  const held = transition(identity, withOwnIds(payment('authorized'), identity), 3);
  const event = { type: 'lookInconclusive' } as const;
  await writeAttemptOutcome(engine.db, held, { attemptId, outcome: 'answered', event, at: new Date() });
}

/** As the inbox dispatches: under the payment's lock, parking what a running step may answer. */
async function journalAndDispatch(identity: PaymentIdentity, state = 'authorized'): Promise<number> {
  const { db } = engine;
  const { id } = await journalWebhookEvent(db, authorizationEvent(identity, state));
  const event = await leased(db, id);
  const isKnown = await db.transaction().execute(async (trx) => {
    const found = await lockSubjectOf(trx, event);
    if (!found) return false;
    const status = tellsNothingNew(found.state as PaymentState, event.resource) ? 'applied' : 'parked';
    return await markWebhookEvent(trx, event, status, { subjectId: found.id });
  });
  if (!isKnown) await park(engine.db, event);
  return id;
}

async function observed(identity: PaymentIdentity, state: PaymentState): Promise<void> {
  await writeTransition(engine.db, transition(identity, state, 1));
}

async function written(identity: PaymentIdentity, state: PaymentState): Promise<void> {
  await writeTransition(engine.db, transition(identity, state, 0));
}

async function waitingForLocks(): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`select count(*)::int as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(engine.db);
  return rows[0]?.waiting ?? 0;
}
