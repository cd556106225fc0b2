import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { markWebhookEvent } from '#database/events/event-lease.js';
import {
  type NewWebhookEvent,
  journalSignedEvent,
  journalWebhookEvent,
} from '#database/events/webhook-events.js';
import {
  leaseWebhookEvent,
  atOnce,
  eventRow,
  leased,
  newId,
  useEngineDatabase,
  newEvent,
} from './engine-database.js';

const engine = useEngineDatabase();

describe('the journal of webhook events', () => {
  it('holds one row for 50 deliveries at once, counts them, and calls one of them new', async () => {
    const event = newEvent();
    const journaled = await atOnce(50, () => journalWebhookEvent(engine.db, event));
    expect(journaled.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(new Set(journaled.map(({ id }) => id)).size).toBe(1);
    expect(await eventRow(engine.db, journaled[0]!.id)).toMatchObject({ deliveries: 50, status: 'received' });
  });

  it('does not change an event that is finished when it is delivered again', async () => {
    const event = newEvent();
    const { id } = await journalWebhookEvent(engine.db, event);
    await markWebhookEvent(engine.db, await leased(engine.db, id), 'applied', { detail: 'signalled' });
    expect(await journalWebhookEvent(engine.db, event)).toEqual({ id, isNew: false, contradicts: false });
    expect(await eventRow(engine.db, id)).toMatchObject({
      status: 'applied',
      detail: 'signalled',
      deliveries: 2,
      contradictions: 0,
    });
  });

  it('keeps the same event id of another application as another event', async () => {
    const event = newEvent();
    const [one, other] = [
      await journalWebhookEvent(engine.db, event),
      await journalWebhookEvent(engine.db, { ...event, application: 'another' }),
    ];
    expect([one.isNew, other.isNew]).toEqual([true, true]);
  });

  it('distinguishes delivered events from those that a search found', async () => {
    const { id } = await journalWebhookEvent(engine.db, { ...newEvent(), source: 'reconciliation' });
    expect(await eventRow(engine.db, id)).toMatchObject({ source: 'reconciliation' });
    const delivered = await journalWebhookEvent(engine.db, newEvent());
    expect(await eventRow(engine.db, delivered.id)).toMatchObject({ source: 'delivery' });
  });
});

const altered = (event: NewWebhookEvent): NewWebhookEvent => ({
  ...event,
  resource: { ...event.resource, amount: { minor: 1, currency: 'USD' } },
});

const hash = (text: string) => createHash('sha256').update(text).digest();

describe('case 11: the same event id with other content', () => {
  it.each(['applied', 'ignored', 'conflict'] as const)(
    'makes an event that was %s contested',
    async (settled) => {
      const event = newEvent();
      const { id } = await journalWebhookEvent(engine.db, event);
      await markWebhookEvent(engine.db, await leased(engine.db, id), settled);
      expect(await journalWebhookEvent(engine.db, altered(event))).toEqual({
        id,
        isNew: false,
        contradicts: true,
      });
      const row = await eventRow(engine.db, id);
      expect(row).toMatchObject({ status: 'contested', contradictions: 1, resource: event.resource });
      expect(row.due_at).not.toBeNull();
      expect(row.history.map(({ status }) => status)).toEqual(['dispatching', settled, 'contested']);
    },
  );

  it('ends its dispatcher’s lease: the dispatcher marks nothing, and nobody dispatches it', async () => {
    const event = newEvent();
    const { id } = await journalWebhookEvent(engine.db, event);
    const lease = await leased(engine.db, id);
    await journalWebhookEvent(engine.db, altered(event));
    expect(await markWebhookEvent(engine.db, lease, 'applied')).toBe(false);
    expect(await leaseWebhookEvent(engine.db, id, 60_000)).toBeUndefined();
    expect(await eventRow(engine.db, id)).toMatchObject({ status: 'contested', resource: event.resource });
  });

  it('is kept beside the first, each content once and no more than eight', async () => {
    const event = newEvent();
    const { id } = await journalWebhookEvent(engine.db, event);
    const amounts = [1, 1, ...Array.from({ length: 9 }, (_, nth) => nth + 1)];
    for (const minor of amounts) {
      const resource = { ...event.resource, amount: { minor, currency: 'USD' } };
      await journalWebhookEvent(engine.db, { ...event, resource });
    }
    const { other_contents, contradictions, history } = await eventRow(engine.db, id);
    expect(other_contents.map(({ resource }) => resource.amount?.minor)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect([contradictions, history.length]).toEqual([11, 1]);
  });
});

const withoutResource = (event: NewWebhookEvent): NewWebhookEvent => ({
  ...event,
  resource: { kind: 'other', id: '', state: 'authorized' },
  resourceIds: event.resourceIds.slice(1),
});

describe('an event that did not name its resource', () => {
  it('is replaced by the complete event, which is dispatched as if it had just come', async () => {
    const event = newEvent();
    const { id } = await journalWebhookEvent(engine.db, withoutResource(event));
    await markWebhookEvent(engine.db, await leased(engine.db, id), 'ignored', { detail: 'late' });
    const whole = { ...event, payload: { resource: { id: event.resource.id } } };
    expect(await journalWebhookEvent(engine.db, whole)).toEqual({ id, isNew: false, contradicts: false });
    const row = await eventRow(engine.db, id);
    expect(row).toMatchObject({
      status: 'received',
      detail: 'the whole of it came under the same id',
      resource: event.resource,
      resource_ids: event.resourceIds,
      payload: whole.payload,
      contradictions: 0,
    });
    expect(row.due_at).not.toBeNull();
    expect(row.history.map(({ status }) => status)).toEqual(['dispatching', 'ignored', 'received']);
    await markWebhookEvent(engine.db, await leased(engine.db, id), 'applied');
    await atOnce(5, () => journalWebhookEvent(engine.db, whole));
    expect(await eventRow(engine.db, id)).toMatchObject({ status: 'applied', contradictions: 0 });
  });

  it('ends its dispatcher’s lease, so that the complete event is not overwritten', async () => {
    const event = newEvent();
    const { id } = await journalWebhookEvent(engine.db, withoutResource(event));
    const former = await leased(engine.db, id);
    await journalWebhookEvent(engine.db, event);
    expect(await markWebhookEvent(engine.db, former, 'ignored')).toBe(false);
    const latter = await leased(engine.db, id);
    expect(latter.resource).toEqual(event.resource);
    expect(await markWebhookEvent(engine.db, former, 'ignored')).toBe(false);
    expect(await markWebhookEvent(engine.db, latter, 'applied')).toBe(true);
  });

  it('is contested by one of another type, and leased by 20 at once to one', async () => {
    const [event, other] = [newEvent(), newEvent()];
    const { id } = await journalWebhookEvent(engine.db, withoutResource(event));
    await atOnce(20, () => journalWebhookEvent(engine.db, event));
    expect(await eventRow(engine.db, id)).toMatchObject({
      status: 'received',
      resource: event.resource,
      deliveries: 21,
      contradictions: 0,
    });
    const contested = await journalWebhookEvent(engine.db, withoutResource(other));
    const another = { ...other, eventType: 'PAYMENT.AUTHORIZATION.VOIDED' };
    expect(await journalWebhookEvent(engine.db, another)).toMatchObject({ contradicts: true });
    expect(await eventRow(engine.db, contested.id)).toMatchObject({
      status: 'contested',
      resource: { id: '' },
    });
  });
});

describe('a signed transmission', () => {
  it('that brings another body makes its event contested, even a new one, and no other event', async () => {
    const transmissionId = newId('transmission');
    const [genuine, forged] = [newEvent(), newEvent()];
    const first = { id: transmissionId, bodyHash: hash('genuine') };
    expect(await journalSignedEvent(engine.db, genuine, first)).toMatchObject({ isNew: true });
    const other = { id: transmissionId, bodyHash: hash('collided') };
    for (const event of [forged, genuine]) {
      expect(await journalSignedEvent(engine.db, event, other)).toMatchObject({ contradicts: true });
    }
    expect(await journalSignedEvent(engine.db, genuine, first)).toMatchObject({
      isNew: false,
      contradicts: false,
    });
    const events = await engine.db
      .selectFrom('webhook_events')
      .select(['event_id', 'deliveries', 'status', 'contradictions'])
      .where('event_id', 'in', [genuine.eventId, forged.eventId])
      .orderBy('id')
      .execute();
    expect(events).toEqual([
      // The other body says the same of it.
      { event_id: genuine.eventId, deliveries: 3, status: 'received', contradictions: 0 },
      { event_id: forged.eventId, deliveries: 1, status: 'contested', contradictions: 1 },
    ]);
    const transmissions = await engine.db
      .selectFrom('webhook_transmissions')
      .select(['deliveries', 'contradictions'])
      .where('transmission_id', '=', transmissionId)
      .execute();
    expect(transmissions).toEqual([{ deliveries: 4, contradictions: 2 }]);
  });

  it('with 20 bodies at once is believed with exactly one', async () => {
    const transmissionId = newId('transmission');
    const taken = await atOnce(20, (nth) =>
      journalSignedEvent(engine.db, newEvent(), { id: transmissionId, bodyHash: hash(String(nth)) }),
    );
    expect(taken.filter(({ contradicts }) => !contradicts)).toHaveLength(1);
  });

  it('may bring an event that another transmission brought: that is a redelivery', async () => {
    const event = newEvent();
    const bodyHash = hash('the same');
    const ids = await atOnce(10, () =>
      journalSignedEvent(engine.db, event, { id: newId('transmission'), bodyHash }),
    );
    expect(new Set(ids.map((journaled) => journaled?.id)).size).toBe(1);
  });
});
