import { describe, expect, it } from 'vitest';
import type { WebhookEventRow } from '#database/schema';
import { leaseWebhookEvents, markWebhookEvents, journalWebhookEvent } from '#database/events';
import { authorizationEvent, newIdentity, useEngineDatabase } from './engine-database.js';

const engine = useEngineDatabase();

describe('events that come together', () => {
  it('are leased by one dispatcher each when several ask for them', async () => {
    const ids: number[] = [];
    for (let n = 0; n < 30; n += 1)
      ids.push((await journalWebhookEvent(engine.db, authorizationEvent(newIdentity()))).id);
    const wanted = (n: number) => (n % 2 === 0 ? ids : ids.toReversed());
    const leased = await Promise.all(
      Array.from({ length: 8 }, (_, n) => leaseWebhookEvents(engine.db, wanted(n), 60_000)),
    );
    const given = leased.flatMap((events, n) =>
      events.flatMap((event, place) => (event ? [[event.id, wanted(n)[place]]] : [])),
    );
    expect(given.map(([id]) => id).toSorted((left, right) => left! - right!)).toEqual(ids);
    expect(given.every(([id, asked]) => id === asked)).toBe(true);
  });

  it('are marked each with its own result, except one whose lease was lost', async () => {
    const ids: number[] = [];
    for (let n = 0; n < 3; n += 1)
      ids.push((await journalWebhookEvent(engine.db, authorizationEvent(newIdentity()))).id);
    const [applied, late, givenBack] = await leaseWebhookEvents(engine.db, ids, -1);
    const [successor] = await leaseWebhookEvents(engine.db, [ids[1]!], 60_000);
    expect(
      await markWebhookEvents(engine.db, [
        { lease: late!, status: 'ignored', change: { detail: 'too late' } },
        { lease: applied!, status: 'applied', change: { detail: 'signalled', subjectId: 'pay_1' } },
        { lease: givenBack!, status: 'received', change: { dueInMs: 60_000 } },
      ]),
    ).toEqual([false, true, true]);
    expect(await rowOf(ids[0]!)).toMatchObject({
      status: 'applied',
      detail: 'signalled',
      subject_id: 'pay_1',
      due_at: null,
      history: [
        { status: 'dispatching' },
        { status: 'applied', detail: 'signalled', at: expect.any(String) as string },
      ],
    });
    expect(await rowOf(ids[1]!)).toMatchObject({
      status: 'dispatching',
      dispatches: successor!.dispatches,
      detail: null,
    });
    expect(await rowOf(ids[2]!)).toMatchObject({
      status: 'received',
      subject_id: null,
      due_at: expect.any(Date) as Date,
    });
  });
});

async function rowOf(id: number): Promise<WebhookEventRow> {
  return await engine.db
    .selectFrom('webhook_events')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}
