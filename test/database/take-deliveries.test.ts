import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { writeTransition } from '#database/transitions';
import { journalWebhookEvent } from '#database/events';
import { takeDeliveries } from '#webhook-inbox';
import type { PaymentIdentity } from '#workflows/contract';
import type { PaymentState } from '#workflows/lifecycle/payment';
import { runningStep } from '#workflows/lifecycle/step/open-step.js';
import { payment } from '../lifecycle/payment/sample-payments.js';
import {
  leaseWebhookEvent,
  authorizationEvent,
  eventRow,
  newId,
  newIdentity,
  useEngineDatabase,
  storePayment,
  transition,
  withOwnIds,
} from './engine-database.js';

const engine = useEngineDatabase();

const rowOf = (id: number) => eventRow(engine.db, id);

const voiding = { type: 'voidAuthorization', commandId: 'c' } as const;

/** A payment with its hold, and the ids of both on record. */
async function authorized(change: Partial<PaymentState> = {}): Promise<PaymentIdentity> {
  const identity = await storePayment(engine.db);
  const state = withOwnIds({ ...payment('authorized'), ...change }, identity);
  await writeTransition(engine.db, transition(identity, state, 2));
  return identity;
}

describe('a delivery that has no news', () => {
  it('is journaled as applied by the one statement that writes it', async () => {
    const [identity, other] = [await authorized(), await authorized()];
    const taken = await takeDeliveries(
      engine.db,
      [identity, other].map((each) => ({ event: authorizationEvent(each) })),
    );
    expect(taken).toMatchObject([{ isNew: true, isDone: true }, { isDone: true }]);
    expect(await rowOf(taken[0]!.id)).toMatchObject({
      status: 'applied',
      detail: 'nothing new',
      subject_id: identity.paymentId,
      due_at: null,
      dispatches: 0,
      history: [{ status: 'applied', detail: 'nothing new', at: expect.any(String) as string }],
    });
    expect(await rowOf(taken[1]!.id)).toMatchObject({ subject_id: other.paymentId });
    expect(await leaseWebhookEvent(engine.db, taken[0]!.id, 60_000)).toBeUndefined();
  });

  it('is contested as soon as other content comes under its id', async () => {
    const identity = await authorized();
    const event = authorizationEvent(identity);
    const another = { ...event, resource: { ...event.resource, state: 'voided' } };
    const [first, second] = await takeDeliveries(engine.db, [{ event }, { event: another }]);
    expect(second).toEqual({ id: first!.id, isNew: false, contradicts: true, isDone: false });
    expect(await rowOf(first!.id)).toMatchObject({ status: 'contested', contradictions: 1 });
  });

  it('is not marked applied when its transmission came with another body: the provider is asked', async () => {
    const id = newId('transmission');
    const event = authorizationEvent(await authorized());
    const forged = authorizationEvent(await authorized());
    const signed = [event, forged].map((each) => ({
      event: each,
      transmission: { id, bodyHash: createHash('sha256').update(each.eventId).digest() },
    }));
    const taken = await takeDeliveries(engine.db, signed);
    expect(taken).toMatchObject([{ isDone: true }, { isDone: false, contradicts: true }]);
    expect(await rowOf(taken[1]!.id)).toMatchObject({ status: 'contested', subject_id: null });
  });
});

describe('the dispatch of a delivery waits for our own write', () => {
  const waits = { isNew: true, isDone: false, waitMs: expect.any(Number) as number };

  it('while a call is under way, or its subject is unknown', async () => {
    const identity = await authorized({ status: 'voiding', openStep: runningStep(3, voiding, 0) });
    const taken = await takeDeliveries(engine.db, [
      { event: authorizationEvent(identity, 'voided') },
      { event: authorizationEvent(newIdentity()) },
    ]);
    expect(taken).toEqual([expect.objectContaining(waits), expect.objectContaining(waits)]);
  });

  it('if it reports the approval: the payer may just be coming back', async () => {
    const identity = await storePayment(engine.db);
    const state = withOwnIds(payment('awaiting_approval'), identity);
    await writeTransition(engine.db, transition(identity, state, 1));
    const event = authorizationEvent(identity);
    const id = `PAY-${identity.paymentId}`;
    const resource = { kind: 'payment', id, state: 'approved', payerId: 'PAYER' } as const;
    const [taken] = await takeDeliveries(engine.db, [{ event: { ...event, resource } }]);
    expect(taken).toMatchObject(waits);
  });

  it('but not if it is news, or came before', async () => {
    const event = authorizationEvent(await authorized(), 'voided');
    const unknown = authorizationEvent(newIdentity());
    await journalWebhookEvent(engine.db, unknown);
    for (const taken of await takeDeliveries(engine.db, [{ event }, { event: unknown }]))
      expect(taken).not.toHaveProperty('waitMs');
  });
});

describe('a delivery is left for dispatch', () => {
  const left = { isNew: true, isDone: false };

  it('when it tells more than is recorded', async () => {
    const identity = await authorized();
    const [taken] = await takeDeliveries(engine.db, [{ event: authorizationEvent(identity, 'voided') }]);
    expect(taken).toMatchObject(left);
    expect(await rowOf(taken!.id)).toMatchObject({
      status: 'received',
      subject_id: null,
      history: [],
      due_at: expect.any(Date) as Date,
    });
  });

  it('when it must be ignored, or is late', async () => {
    const late = await authorized({ status: 'voided', released: true });
    const ghost = { kind: 'authorization', id: `AUTH-${late.paymentId}`, state: 'expiring' } as const;
    const [taken] = await takeDeliveries(engine.db, [
      { event: { ...authorizationEvent(late), resource: ghost } },
    ]);
    expect(taken).toMatchObject(left);
    expect(await rowOf(taken!.id)).toMatchObject({ status: 'received' });
  });

  it('when no application, or another one, knows its resource', async () => {
    const identity = await authorized();
    const taken = await takeDeliveries(engine.db, [
      { event: authorizationEvent(newIdentity()) },
      { event: { ...authorizationEvent(identity), application: 'another' } },
    ]);
    expect(taken).toMatchObject([left, left]);
  });

  it('when its subject cannot be read: it is kept', async () => {
    const identity = await authorized();
    await engine.db
      .updateTable('payments')
      .set({ state: '{}' })
      .where('id', '=', identity.paymentId)
      .execute();
    const [taken] = await takeDeliveries(engine.db, [{ event: authorizationEvent(identity) }]);
    expect(taken).toMatchObject(left);
  });

  it('when it came before and was not finished', async () => {
    const identity = newIdentity();
    const event = authorizationEvent(identity);
    const { id } = await journalWebhookEvent(engine.db, event);
    await storePayment(engine.db, identity);
    await writeTransition(engine.db, transition(identity, withOwnIds(payment('authorized'), identity), 2));
    expect(await takeDeliveries(engine.db, [{ event }])).toEqual([
      { id, isNew: false, contradicts: false, isDone: false },
    ]);
    expect(await leaseWebhookEvent(engine.db, id, 60_000)).toMatchObject({ id });
  });
});
