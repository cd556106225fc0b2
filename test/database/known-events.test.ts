import { describe, expect, it } from 'vitest';
import { findReceivedEvents, journalWebhookEvent, markKnownEvents, takeShownEvent } from '#database/events';
import { writeTransition } from '#database/transitions';
import { payment } from '../lifecycle/payment/sample-payments.js';
import {
  leaseWebhookEvent,
  authorizationEvent,
  eventRow,
  newIdentity,
  owner,
  useEngineDatabase,
  storePayment,
  transition,
  withOwnIds,
} from './engine-database.js';

const engine = useEngineDatabase();

/** A received event and its payment, which has what it reports. */
async function received() {
  const identity = await storePayment(engine.db);
  await writeTransition(engine.db, transition(identity, withOwnIds(payment('authorized'), identity), 2));
  const event = authorizationEvent(identity);
  const { id } = await journalWebhookEvent(engine.db, event);
  const [found] = await findReceivedEvents(engine.db, [id]);
  return { id, event, identity, found: found! };
}

const known = ({ found }: Awaited<ReturnType<typeof received>>) => ({
  event: found.event,
  subjectId: found.subject.id,
  detail: 'nothing new',
});

describe('an event whose subject has what it reports', () => {
  it('is read with its subject, and marked as applied without a lease', async () => {
    const [one, other] = [await received(), await received()];
    expect(one.found).toMatchObject({
      event: { id: one.id, event_id: one.event.eventId },
      subject: { id: one.identity.paymentId, state: { status: 'authorized' } },
    });
    expect(await markKnownEvents(engine.db, [known(one), known(other)])).toEqual([true, true]);
    expect(await eventRow(engine.db, one.id)).toMatchObject({
      status: 'applied',
      subject_id: one.identity.paymentId,
      detail: 'nothing new',
      due_at: null,
      dispatches: 0,
      history: [{ status: 'applied', detail: 'nothing new' }],
    });
    expect(await findReceivedEvents(engine.db, [one.id])).toEqual([undefined]);
  });

  it('is left to the dispatcher that has taken it', async () => {
    const one = await received();
    await leaseWebhookEvent(engine.db, one.id, 60_000);
    expect(await markKnownEvents(engine.db, [known(one)])).toEqual([false]);
    expect(await eventRow(engine.db, one.id)).toMatchObject({ status: 'dispatching' });
  });

  it('is left if it was delivered again in between: the other delivery may have brought more', async () => {
    const one = await received();
    await journalWebhookEvent(engine.db, one.event);
    expect(await markKnownEvents(engine.db, [known(one)])).toEqual([false]);
    expect(await eventRow(engine.db, one.id)).toMatchObject({ status: 'received', deliveries: 2 });
  });
});

it('an event is left if the provider has shown another content of it in between', async () => {
  const one = await received();
  const shown = { ...one.event, resource: { ...one.event.resource, state: 'voided' } };
  expect(await takeShownEvent(engine.db, owner, shown)).toBe(one.id);
  expect(await markKnownEvents(engine.db, [known(one)])).toEqual([false]);
  expect(await eventRow(engine.db, one.id)).toMatchObject({ status: 'received', resource: shown.resource });
});

it('an event without a known subject is not read', async () => {
  const { id } = await journalWebhookEvent(engine.db, authorizationEvent(newIdentity()));
  expect(await findReceivedEvents(engine.db, [id])).toEqual([undefined]);
});
