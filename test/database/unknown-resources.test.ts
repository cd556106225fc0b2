import { describe, expect, it } from 'vitest';
import { lockSubjectOf, journalWebhookEvent } from '#database/events';
import { writeWithoutAttempt } from '#database/transitions/write-transition.js';
import { beginAttempt, writeTransition } from '#database/transitions';
import type { PaymentIdentity } from '#workflows/contract';
import type { PaymentState } from '#workflows/lifecycle/payment';
import { until } from '../helpers/until.js';
import { refund } from '../lifecycle/refund/sample-refunds.js';
import { StoredRefund } from './stored-refund.js';
import { capture, payment } from '../lifecycle/payment/sample-payments.js';
import { waitingForLocks } from '../helpers/waiting-for-locks.js';
import { grant, journalAndDispatch } from './dispatched-events.js';
import {
  atOnce,
  authorizationEvent,
  eventRow,
  leased,
  newAttempt,
  newIdentity,
  useEngineDatabase,
  park,
  parkedEvent,
  storePayment,
  transition,
  withOwnIds,
} from './engine-database.js';

const engine = useEngineDatabase();

const rowOf = (id: number) => eventRow(engine.db, id);

describe('an event of an unknown resource', () => {
  it('is parked until the step that learns of the resource claims it', async () => {
    const identity = await storePayment(engine.db);
    const attemptId = await beginAttempt(
      engine.db,
      transition(identity, payment('creating'), 0),
      newAttempt(),
    );
    const id = await journalAndDispatch(engine.db, identity);
    expect(await rowOf(id)).toMatchObject({ status: 'parked', subject_id: null });
    await grant(engine.db, identity, attemptId!);
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

  it('waits while somebody records the resource, and is not parked then', async () => {
    const identity = await storePayment(engine.db);
    const held = withOwnIds(payment('authorized'), identity);
    const { id } = await journalWebhookEvent(engine.db, authorizationEvent(identity));
    const event = await leased(engine.db, id);
    let parking: Promise<boolean> | undefined;
    let isOver = false;
    await engine.db.transaction().execute(async (trx) => {
      await writeWithoutAttempt(trx, transition(identity, held, 1));
      parking = park(engine.db, event).finally(() => (isOver = true));
      await until(
        () => waitingForLocks(engine.db),
        (waiting) => waiting > 0 || isOver,
        'the dispatcher to wait',
      );
    });
    expect(await parking).toBe(false);
    expect(await rowOf(id)).toMatchObject({ status: 'dispatching' });
  });

  it('belongs to no payment when it names no resource at all', async () => {
    const { id } = await journalWebhookEvent(engine.db, {
      ...authorizationEvent(newIdentity()),
      resourceIds: [],
    });
    const event = await rowOf(id);
    expect(await engine.db.transaction().execute((trx) => lockSubjectOf(trx, event))).toBeUndefined();
  });

  it('is not matched with a resource of the same id in another application', async () => {
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

async function observed(identity: PaymentIdentity, state: PaymentState): Promise<void> {
  await writeTransition(engine.db, transition(identity, state, 1));
}

async function written(identity: PaymentIdentity, state: PaymentState): Promise<void> {
  await writeTransition(engine.db, transition(identity, state, 0));
}
