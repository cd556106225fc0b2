import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import {
  leaseContestedEvents,
  markAsConflict,
  takeShownEvent,
  findMissingEvents,
  countWaitingEvents,
  resendWebhookEvent,
  type NewWebhookEvent,
  journalWebhookEvent,
} from '#database/events';
import { markWebhookEvent } from '#database/events/event-lease.js';
import {
  leaseWebhookEvent,
  atOnce,
  eventRow,
  leased,
  useEngineDatabase,
  owner,
  newEvent,
} from './engine-database.js';

const engine = useEngineDatabase();

const rowOf = (id: number) => eventRow(engine.db, id);
const forged = (event: NewWebhookEvent): NewWebhookEvent => ({
  ...event,
  resource: { ...event.resource, state: 'voided' },
});

/** Its forged content came first. */
async function contested(event = newEvent()): Promise<{ id: number; event: NewWebhookEvent }> {
  const { id } = await journalWebhookEvent(engine.db, forged(event));
  await markWebhookEvent(engine.db, await leased(engine.db, id), 'applied', { detail: 'nothing new' });
  await journalWebhookEvent(engine.db, event);
  return { id, event };
}

const lease = async (owners = [owner] as readonly { environment: string; application: string }[]) =>
  await leaseContestedEvents(engine.db, owners, 1_000);

describe('a contested event', () => {
  it.each([
    ['of another subject', (ids: readonly string[]) => ids.map((id) => `${id}-OF-ANOTHER`)],
    ['fewer', (ids: readonly string[]) => ids.slice(1)],
    ['more', (ids: readonly string[]) => [...ids, 'PAY-OF-ANOTHER']],
  ])('is one that came with the same resource and other ids, %s', async (_what, other) => {
    const event = newEvent();
    const { id } = await journalWebhookEvent(engine.db, { ...event, resourceIds: other(event.resourceIds) });
    expect(await findMissingEvents(engine.db, owner, [event])).toEqual([event]);
    expect(await journalWebhookEvent(engine.db, event)).toMatchObject({ contradicts: true });
    expect(await rowOf(id)).toMatchObject({ status: 'contested' });
    const reordered = { ...event, resourceIds: event.resourceIds.toReversed() };
    expect(await takeShownEvent(engine.db, owner, reordered)).toBe(id);
    expect(await journalWebhookEvent(engine.db, event)).toMatchObject({ contradicts: false });
  });

  it('is leased by one of 20 workers at once, and comes again after growing pauses', async () => {
    const { id } = await contested();
    const taken = await atOnce(20, async () => (await lease()).filter((event) => event.id === id));
    expect(taken.flat()).toMatchObject([{ id, other_contents: [{ resource: { state: 'authorized' } }] }]);
    const waits: number[] = [];
    for (const agedMs of [0, 20_000, 3_600_000]) {
      await sql`update webhook_events set due_at = clock_timestamp(),
        status_at = clock_timestamp() - ${agedMs} * interval '1 millisecond' where id = ${id}`.execute(
        engine.db,
      );
      const [event] = (await lease()).filter((each) => each.id === id);
      expect(event!.contestedForMs).toBeGreaterThanOrEqual(agedMs);
      const { rows } = await sql<{
        ms: number;
      }>`select extract(epoch from due_at - clock_timestamp())::float8 * 1000
        as ms from webhook_events where id = ${id}`.execute(engine.db);
      waits.push(Math.round(rows[0]!.ms / 10_000));
    }
    // In tens of seconds: five seconds at least, then as long as it has been contested, five minutes at most.
    expect(waits.at(0)).toBeLessThanOrEqual(1);
    expect(waits.slice(1)).toEqual([2, 30]);
  });

  it('of an application that this worker lacks is left to workers that have it', async () => {
    const { id } = await contested();
    expect((await lease([{ ...owner, application: 'another' }])).map((event) => event.id)).not.toContain(id);
    expect((await lease()).map((event) => event.id)).toContain(id);
  });

  it('is listed while it waits', async () => {
    await contested();
    expect(await countWaitingEvents(engine.db, owner)).toContainEqual(
      expect.objectContaining({ status: 'contested' }),
    );
  });

  it('is given up only by its last reader, and stays listed as a conflict', async () => {
    const { id } = await contested();
    const [former] = (await lease()).filter((event) => event.id === id);
    await sql`update webhook_events set due_at = clock_timestamp() where id = ${id}`.execute(engine.db);
    const [latter] = (await lease()).filter((event) => event.id === id);
    await markAsConflict(engine.db, former!, 'not shown');
    expect(await rowOf(id)).toMatchObject({ status: 'contested' });
    await markAsConflict(engine.db, latter!, 'not shown');
    expect(await rowOf(id)).toMatchObject({ status: 'conflict', detail: 'not shown', due_at: null });
  });

  it('that was given up is read once more when it is sent again', async () => {
    const { id, event } = await contested();
    const [last] = (await lease()).filter((each) => each.id === id);
    await markAsConflict(engine.db, last!, 'not shown');
    await resendWebhookEvent(engine.db, owner, event.eventId, 'key:dev');
    expect(await rowOf(id)).toMatchObject({ status: 'contested' });
    expect((await lease()).map((each) => each.id)).toContain(id);
  });
});

describe('the event that the provider shows', () => {
  it('replaces what was delivered, is dispatched, and is applied although it was contradicted', async () => {
    const { id, event } = await contested();
    expect(await takeShownEvent(engine.db, owner, event)).toBe(id);
    expect(await rowOf(id)).toMatchObject({
      status: 'received',
      resource: event.resource,
      first_content: { resource: forged(event).resource },
      contradictions: 1,
    });
    await markWebhookEvent(engine.db, await leased(engine.db, id), 'applied');
    expect(await rowOf(id)).toMatchObject({ status: 'applied' });
  });

  it('keeps its content whatever is delivered later, and is leased once', async () => {
    const { id, event } = await contested();
    const taken = await atOnce(10, () => takeShownEvent(engine.db, owner, event));
    expect(taken.filter(Boolean)).toEqual([id]);
    await markWebhookEvent(engine.db, await leased(engine.db, id), 'applied');
    await journalWebhookEvent(engine.db, forged(event));
    expect(await rowOf(id)).toMatchObject({
      status: 'applied',
      resource: event.resource,
      contradictions: 2,
    });
    expect(await leaseWebhookEvent(engine.db, id, 60_000)).toBeUndefined();
  });

  it('changes nothing of an event that was delivered with the same content, nor of another application’s event', async () => {
    const event = newEvent();
    const { id } = await journalWebhookEvent(engine.db, event);
    const before = await rowOf(id);
    expect(await takeShownEvent(engine.db, owner, event)).toBeUndefined();
    const other = { ...owner, application: 'another' };
    expect(await takeShownEvent(engine.db, other, forged(event))).toBeUndefined();
    expect(await rowOf(id)).toEqual(before);
  });

  it('is missing when other content was delivered, contested or not, until it is shown', async () => {
    const missing = async (event: NewWebhookEvent) =>
      (await findMissingEvents(engine.db, owner, [event])).length > 0;
    const event = newEvent();
    await journalWebhookEvent(engine.db, forged(event));
    expect([await missing(forged(event)), await missing(event)]).toEqual([false, true]);
    const { event: contradicted } = await contested();
    expect([await missing(forged(contradicted)), await missing(contradicted)]).toEqual([true, true]);
    await takeShownEvent(engine.db, owner, contradicted);
    expect([await missing(forged(contradicted)), await missing(contradicted)]).toEqual([false, false]);
  });

  it('is missing from no event when it does not name its resource', async () => {
    const event = newEvent();
    await journalWebhookEvent(engine.db, event);
    const nameless = { ...event, resource: { ...event.resource, id: '' } };
    expect(await findMissingEvents(engine.db, owner, [nameless])).toEqual([]);
  });
});
