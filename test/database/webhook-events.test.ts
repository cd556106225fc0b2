import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WebhookEventRow } from '../../libs/database/src/schema.js';
import { beginAttempt, settleAttempt, writeTransition } from '../../libs/database/src/transitions.js';
import {
  findUndispatchedEvents,
  journalWebhookEvent,
  leaseWebhookEvent,
  listWebhookEvents,
  lockPaymentOf,
  markWebhookEvent,
  unparkWebhookEvents,
} from '../../libs/database/src/webhook-events.js';
import type { PaymentIdentity } from '../../libs/workflows/src/contract.js';
import { tellsNothingNew } from '../../libs/workflows/src/lifecycle/notification.js';
import { until } from '../helpers/until.js';
import { payment } from '../lifecycle/sample-payments.js';
import {
  type EngineDatabase,
  atOnce,
  authorizationEvent,
  newAttempt,
  newIdentity,
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

const longAgo = () => new Date(Date.now() + 60_000);

describe('the journal of webhook events', () => {
  it('holds one row for 50 deliveries at once, counts them, and calls one of them new', async () => {
    const event = authorizationEvent(newIdentity());
    const journaled = await atOnce(50, () => journalWebhookEvent(engine.db, event));
    expect(journaled.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(new Set(journaled.map(({ id }) => id)).size).toBe(1);
    expect(await rowOf(journaled[0]!.id)).toMatchObject({ deliveries: 50, status: 'received' });
  });

  it('leaves an event that was dealt with as it is when it is delivered again', async () => {
    const event = authorizationEvent(newIdentity());
    const { id } = await journalWebhookEvent(engine.db, event);
    await markWebhookEvent(engine.db, id, 'applied', { detail: 'signalled' });
    expect(await journalWebhookEvent(engine.db, event)).toEqual({ id, isNew: false });
    expect(await rowOf(id)).toMatchObject({ status: 'applied', detail: 'signalled', deliveries: 2 });
  });

  it('takes the same event id of another application for another event', async () => {
    const event = authorizationEvent(newIdentity());
    const [one, other] = [
      await journalWebhookEvent(engine.db, event),
      await journalWebhookEvent(engine.db, { ...event, application: 'another' }),
    ];
    expect([one.isNew, other.isNew]).toEqual([true, true]);
  });
});

describe('the lease of an event', () => {
  it('goes to exactly one of 20 dispatchers', async () => {
    const { id } = await journalWebhookEvent(engine.db, authorizationEvent(newIdentity()));
    const leased = await atOnce(20, () => leaseWebhookEvent(engine.db, id, 60_000));
    expect(leased.filter(Boolean)).toHaveLength(1);
  });

  it('that was abandoned goes to exactly one of 20 others', async () => {
    const { id } = await journalWebhookEvent(engine.db, authorizationEvent(newIdentity()));
    await leaseWebhookEvent(engine.db, id, -1);
    const leased = await atOnce(20, () => leaseWebhookEvent(engine.db, id, 60_000));
    expect(leased.filter(Boolean)).toHaveLength(1);
  });

  it.each(['applied', 'ignored', 'parked', 'conflict'] as const)(
    'is not given for an event that is %s',
    async (status) => {
      const { id } = await journalWebhookEvent(engine.db, authorizationEvent(newIdentity()));
      await markWebhookEvent(engine.db, id, status);
      expect(await leaseWebhookEvent(engine.db, id, 60_000)).toBeUndefined();
    },
  );

  it('left behind is found by the sweep, oldest first; what is settled is not', async () => {
    const events: number[] = [];
    for (const status of ['received', 'dispatching', 'applied', 'parked'] as const) {
      const { id } = await journalWebhookEvent(engine.db, authorizationEvent(newIdentity()));
      await markWebhookEvent(engine.db, id, status);
      events.push(id);
    }
    const found = (await findUndispatchedEvents(engine.db, longAgo(), 1000)).map(({ id }) => id);
    expect(found.filter((id) => events.includes(id))).toEqual(events.slice(0, 2));
    expect(await findUndispatchedEvents(engine.db, new Date(0), 1000)).toEqual([]);
  });
});

describe('an event that came while the step which it is about was under way', () => {
  it('is done with in the transaction that writes what it says', async () => {
    const { identity, attemptId } = await beginExecution();
    const id = await journalAndDispatch(identity);
    expect(await rowOf(id)).toMatchObject({ status: 'parked' });
    await grant(identity, attemptId);
    expect(await rowOf(id)).toMatchObject({
      status: 'applied',
      detail: 'nothing new',
      payment_id: identity.paymentId,
    });
  });

  it('is dispatched afresh when it says more than the answer did', async () => {
    const { identity, attemptId } = await beginExecution();
    const id = await journalAndDispatch(identity, 'voided');
    await grant(identity, attemptId);
    expect(await rowOf(id)).toMatchObject({ status: 'received', payment_id: identity.paymentId });
    expect(await leaseWebhookEvent(engine.db, id, 60_000)).toBeDefined();
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
    const event = await leaseWebhookEvent(db, id, 60_000);
    let answer: Promise<void> | undefined;
    let isWritten = false;
    await db.transaction().execute(async (trx) => {
      await lockPaymentOf(trx, event!);
      answer = grant(identity, attemptId).then(() => void (isWritten = true));
      await until(
        waitingForLocks,
        (waiting) => waiting > 0 || isWritten,
        'the answer to wait for the payment',
      );
      await markWebhookEvent(trx, id, 'parked');
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
    expect(await rowOf(id)).toMatchObject({ status: 'parked', payment_id: null });
    await grant(identity, attemptId!);
    expect(await rowOf(id)).toMatchObject({ status: 'applied', payment_id: identity.paymentId });
  });

  it('that was parked just as the resource became known is put back by the sweep, and no other', async () => {
    const identity = await storePayment(engine.db);
    const [known, unknown] = [authorizationEvent(identity), authorizationEvent(newIdentity())];
    const ids: number[] = [];
    for (const event of [known, unknown]) {
      const { id } = await journalWebhookEvent(engine.db, event);
      ids.push(id);
    }
    await writeTransition(engine.db, transition(identity, withOwnIds(payment('authorized'), identity), 1));
    for (const id of ids) await markWebhookEvent(engine.db, id, 'parked');
    const putBack = (await unparkWebhookEvents(engine.db, longAgo(), 1000)).map(({ id }) => id);
    expect(putBack.filter((id) => ids.includes(id))).toEqual([ids[0]]);
    expect(await rowOf(ids[0]!)).toMatchObject({ status: 'received' });
    expect(await rowOf(ids[1]!)).toMatchObject({ status: 'parked' });
  });

  it('or that names no resource at all belongs to no payment', async () => {
    const { id } = await journalWebhookEvent(engine.db, {
      ...authorizationEvent(newIdentity()),
      resourceIds: [],
    });
    const event = await rowOf(id);
    expect(await engine.db.transaction().execute((trx) => lockPaymentOf(trx, event))).toBeUndefined();
  });

  it('is not taken for a resource of the same id at another application', async () => {
    const identity = await storePayment(engine.db);
    await writeTransition(engine.db, transition(identity, withOwnIds(payment('authorized'), identity), 1));
    const { id } = await journalWebhookEvent(engine.db, {
      ...authorizationEvent(identity),
      application: 'another',
    });
    const event = await rowOf(id);
    expect(await engine.db.transaction().execute((trx) => lockPaymentOf(trx, event))).toBeUndefined();
  });
});

it('the events of a payment are listed in their order of arrival', async () => {
  const identity = await storePayment(engine.db);
  const ids: number[] = [];
  for (let i = 0; i < 3; i += 1) {
    const { id } = await journalWebhookEvent(engine.db, authorizationEvent(identity));
    await markWebhookEvent(engine.db, id, 'applied', { paymentId: identity.paymentId });
    ids.push(id);
  }
  expect((await listWebhookEvents(engine.db, identity.paymentId)).map(({ id }) => id)).toEqual(ids);
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
  await settleAttempt(engine.db, held, { attemptId, outcome: 'answered', event, at: new Date() });
}

/** As the API dispatches: under the payment's lock, parking what a running step may answer. */
async function journalAndDispatch(identity: PaymentIdentity, state = 'authorized'): Promise<number> {
  const { db } = engine;
  const { id } = await journalWebhookEvent(db, authorizationEvent(identity, state));
  const event = await leaseWebhookEvent(db, id, 60_000);
  await db.transaction().execute(async (trx) => {
    const found = await lockPaymentOf(trx, event!);
    const status = found && tellsNothingNew(found.state, event!.resource) ? 'applied' : 'parked';
    await markWebhookEvent(trx, id, status);
  });
  return id;
}

async function rowOf(id: number): Promise<WebhookEventRow> {
  return await engine.db
    .selectFrom('webhook_events')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

async function waitingForLocks(): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`select count(*)::int as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(engine.db);
  return rows[0]?.waiting ?? 0;
}
