import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { type Delivery, journalDeliveries } from '#database/events';
import { type NewWebhookEvent, journalSignedEvent } from '#database/events/webhook-events.js';
import { eventRow, newId, useEngineDatabase, newEvent } from './engine-database.js';

const engine = useEngineDatabase();

const hash = (text: string) => createHash('sha256').update(text).digest();

const signed = (event: NewWebhookEvent, body = event.eventId, id = newId('transmission')) => ({
  event,
  transmission: { id, bodyHash: hash(body) },
});

const transmissionsOf = (...ids: string[]) =>
  engine.db
    .selectFrom('webhook_transmissions')
    .select(['deliveries', 'contradictions'])
    .where('transmission_id', 'in', ids)
    .execute();

describe('deliveries that come together', () => {
  it('are journaled in one commit, signed ones with their transmissions', async () => {
    const deliveries: Delivery[] = [signed(newEvent()), { event: newEvent() }, signed(newEvent())];
    const journaled = await journalDeliveries(engine.db, deliveries);
    expect(journaled).toEqual(
      deliveries.map(() => ({ id: expect.any(Number) as number, isNew: true, contradicts: false })),
    );
    const ids = journaled.map((each) => each.id);
    const { rows } = await sql<{ commits: number }>`select count(distinct xmin::text)::int as commits
      from webhook_events where id = any(${ids}::bigint[])`.execute(engine.db);
    expect(rows).toEqual([{ commits: 1 }]);
    for (const [place, { event }] of deliveries.entries())
      expect(await eventRow(engine.db, ids[place]!)).toMatchObject({ event_id: event.eventId });
    expect(await transmissionsOf(deliveries[0]!.transmission!.id, deliveries[2]!.transmission!.id)).toEqual([
      { deliveries: 1, contradictions: 0 },
      { deliveries: 1, contradictions: 0 },
    ]);
  });

  it('are stored like one that comes alone', async () => {
    const event = { ...newEvent(), payload: { custom: 'a\0b\ud800', total: '10.00' } };
    const [alone] = await journalDeliveries(engine.db, [{ event }]);
    const [inCompany] = await journalDeliveries(engine.db, [
      { event: { ...event, application: 'another' } },
      { event: newEvent() },
    ]);
    const instants = { received_at: expect.any(Date), status_at: expect.any(Date), due_at: expect.any(Date) };
    const { id: _, application: __, ...kept } = await eventRow(engine.db, inCompany!.id);
    expect(await eventRow(engine.db, alone!.id)).toMatchObject({ ...kept, ...instants });
    expect(kept).toMatchObject({ ...instants, payload: { custom: 'a\ufffdb\ufffd', total: '10.00' } });
  });

  it('are distinguished from redeliveries, also of one among them, and from contradictions', async () => {
    const [known, fresh, altered] = [newEvent(), newEvent(), newEvent()];
    const [before] = await journalDeliveries(engine.db, [{ event: known }]);
    const contradiction = { ...altered, resource: { ...altered.resource, state: 'expired' } };
    const deliveries = [known, fresh, fresh, altered, contradiction].map((event) => ({ event }));
    const journaled = await journalDeliveries(engine.db, deliveries);
    expect(journaled.map(({ isNew }) => isNew)).toEqual([false, true, false, true, false]);
    expect(journaled.map(({ contradicts }) => contradicts)).toEqual([false, false, false, false, true]);
    expect(journaled[0]!.id).toBe(before!.id);
    expect(journaled[2]!.id).toBe(journaled[1]!.id);
    expect(await eventRow(engine.db, before!.id)).toMatchObject({ deliveries: 2 });
    expect(await eventRow(engine.db, journaled[3]!.id)).toMatchObject({
      resource: altered.resource,
      contradictions: 1,
    });
  });

  it('are contested when another body comes under the transmission of one of them, or under a known one', async () => {
    const [genuine, collided, known, forged] = [newEvent(), newEvent(), newEvent(), newEvent()];
    const shared = newId('transmission');
    const used = newId('transmission');
    await journalSignedEvent(engine.db, known, { id: used, bodyHash: hash('known') });
    const journaled = await journalDeliveries(engine.db, [
      signed(genuine, 'genuine', shared),
      signed(collided, 'collided', shared),
      signed(forged, 'forged', used),
      signed(known, 'forged as well', used),
      signed(newEvent()),
    ]);
    expect(journaled.map(({ isNew }) => isNew)).toEqual([true, true, true, false, true]);
    expect(journaled.map(({ contradicts }) => contradicts)).toEqual([false, true, true, true, false]);
    const found = await engine.db
      .selectFrom('webhook_events')
      .select(['event_id', 'deliveries', 'status'])
      .where(
        'event_id',
        'in',
        [genuine, collided, known, forged].map(({ eventId }) => eventId),
      )
      .orderBy('id')
      .execute();
    expect(found).toEqual([
      { event_id: known.eventId, deliveries: 2, status: 'received' },
      { event_id: genuine.eventId, deliveries: 1, status: 'received' },
      { event_id: collided.eventId, deliveries: 1, status: 'contested' },
      { event_id: forged.eventId, deliveries: 1, status: 'contested' },
    ]);
    expect(await transmissionsOf(shared)).toEqual([{ deliveries: 2, contradictions: 1 }]);
    expect(await transmissionsOf(used)).toEqual([{ deliveries: 3, contradictions: 2 }]);
  });

  it('are written by processes that received the same ones in opposite orders', async () => {
    const deliveries: Delivery[] = Array.from({ length: 40 }, () => signed(newEvent()));
    const reported = Array.from({ length: 8 }, (_, n) =>
      n % 2 === 0 ? deliveries : deliveries.toReversed(),
    );
    const journaled = await Promise.all(reported.map((order) => journalDeliveries(engine.db, order)));
    expect(journaled.flat().filter((each) => each.isNew)).toHaveLength(40);
    for (const each of journaled[0]!)
      expect(await eventRow(engine.db, each.id)).toMatchObject({ deliveries: 8 });
  });
});
