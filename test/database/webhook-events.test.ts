import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { markWebhookEvent } from '#database/events/event-lease.js';
import type { WebhookStatus } from '#database/schema';
import {
  findDueEvents,
  findWebhookEvents,
  journalWebhookEvent,
  listResends,
  resendWebhookEvent,
} from '#database/events';
import {
  leaseWebhookEvent,
  atOnce,
  eventRow,
  leased,
  newIdentity,
  useEngineDatabase,
  owner,
  newEvent,
} from './engine-database.js';

const engine = useEngineDatabase();

async function eventThatIs(status: WebhookStatus): Promise<number> {
  const { id } = await journalWebhookEvent(engine.db, newEvent());
  if (status !== 'received') {
    const lease = await leased(engine.db, id);
    if (status !== 'dispatching') await markWebhookEvent(engine.db, lease, status, { detail: 'a test' });
  }
  return id;
}

describe('the lease of an event', () => {
  it('goes to exactly one of 20 dispatchers', async () => {
    const id = await eventThatIs('received');
    const leases = await atOnce(20, () => leaseWebhookEvent(engine.db, id, 60_000));
    expect(leases.filter(Boolean)).toHaveLength(1);
  });

  it('that was abandoned goes to exactly one of 20 others', async () => {
    const id = await eventThatIs('received');
    await leaseWebhookEvent(engine.db, id, -1);
    const leases = await atOnce(20, () => leaseWebhookEvent(engine.db, id, 60_000));
    expect(leases.filter(Boolean)).toHaveLength(1);
  });

  it('that was taken over is needed to mark: the late dispatcher writes nothing', async () => {
    const id = await eventThatIs('received');
    const late = await leased(engine.db, id, -1);
    const successor = await leased(engine.db, id);
    expect(await markWebhookEvent(engine.db, late, 'ignored', { detail: 'too late' })).toBe(false);
    expect(await eventRow(engine.db, id)).toMatchObject({ status: 'dispatching', detail: null });
    expect(await markWebhookEvent(engine.db, successor, 'applied')).toBe(true);
    expect(await markWebhookEvent(engine.db, late, 'received')).toBe(false);
    expect(await eventRow(engine.db, id)).toMatchObject({ status: 'applied', due_at: null });
  });

  it('ends by the database’s clock, whatever ours says', async () => {
    const id = await eventThatIs('received');
    await leased(engine.db, id, 60_000);
    const { rows } = await sql<{ left: number }>`select extract(epoch from due_at - clock_timestamp())::float8
      as left from webhook_events where id = ${id}`.execute(engine.db);
    expect(rows[0]!.left).toBeGreaterThan(30);
    expect(rows[0]!.left).toBeLessThanOrEqual(60);
  });

  it.each(['applied', 'ignored', 'parked', 'conflict'] as const)(
    'is not given for an event that is %s',
    async (status) => {
      expect(await leaseWebhookEvent(engine.db, await eventThatIs(status), 60_000)).toBeUndefined();
    },
  );
});

describe('the sweep', () => {
  it('finds what was left behind, oldest first; not what is finished, leased or just received', async () => {
    const left: number[] = [];
    for (const status of ['received', 'dispatching', 'applied', 'parked', 'conflict'] as const) {
      left.push(await eventThatIs(status));
    }
    const found = async () =>
      (await findDueEvents(engine.db, 1_000)).map(({ id }) => id).filter((id) => left.includes(id));
    expect(await found()).toEqual([]);
    await engine.db
      .updateTable('webhook_events')
      .set({ due_at: new Date(0) })
      .where('id', 'in', left)
      .where('due_at', 'is not', null)
      .execute();
    expect(await found()).toEqual(left.slice(0, 2));
  });
});

describe('the timeline of an event', () => {
  it('shows each status with its time and its reason, in order', async () => {
    const { id } = await journalWebhookEvent(engine.db, newEvent());
    await markWebhookEvent(engine.db, await leased(engine.db, id), 'received', {
      detail: 'the run could not be signalled yet',
      dueInMs: 0,
    });
    await markWebhookEvent(engine.db, await leased(engine.db, id), 'applied', { detail: 'signalled' });
    const { history, received_at, status_at } = await eventRow(engine.db, id);
    expect(history.map(({ status, detail }) => [status, detail])).toEqual([
      ['dispatching', undefined],
      ['received', 'the run could not be signalled yet'],
      ['dispatching', undefined],
      ['applied', 'signalled'],
    ]);
    const times = [received_at.getTime(), ...history.map(({ at }) => Date.parse(at))];
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    expect(Date.parse(history.at(-1)!.at)).toBe(status_at.getTime());
  });

  it('keeps its beginning and its end through a long outage', async () => {
    const { id } = await journalWebhookEvent(engine.db, newEvent());
    for (let i = 0; i < 40; i += 1) {
      await markWebhookEvent(engine.db, await leased(engine.db, id), 'received', { detail: String(i) });
    }
    const { history } = await eventRow(engine.db, id);
    expect(history).toHaveLength(50);
    expect([history[1]?.detail, history.at(-1)?.detail]).toEqual(['0', '39']);
  });
});

describe('case 27: an event that is sent again', () => {
  it.each(['parked', 'ignored', 'conflict'] as const)(
    'while it is %s is dispatched again',
    async (status) => {
      const id = await eventThatIs(status);
      const { event_id } = await eventRow(engine.db, id);
      await resendWebhookEvent(engine.db, owner, event_id, 'key:dev');
      expect(await eventRow(engine.db, id)).toMatchObject({ status: 'received' });
      expect((await findDueEvents(engine.db, 1_000)).map((due) => due.id)).toContain(id);
    },
  );

  it('after it was applied stays applied, however often it is requested, and each request is recorded', async () => {
    const id = await eventThatIs('applied');
    const { event_id } = await eventRow(engine.db, id);
    await atOnce(5, () => resendWebhookEvent(engine.db, owner, event_id, 'key:dev'));
    expect(await eventRow(engine.db, id)).toMatchObject({ status: 'applied', due_at: null });
    const resends = await engine.db
      .selectFrom('webhook_resends')
      .select(['requested_by', 'status_before'])
      .where('webhook_event_id', '=', id)
      .execute();
    expect(resends).toEqual(
      Array.from({ length: 5 }, () => ({ requested_by: 'key:dev', status_before: 'applied' })),
    );
  });

  it('is sent twenty times within an hour, with concurrent requests, and says when it may be sent again', async () => {
    const id = await eventThatIs('ignored');
    const { event_id } = await eventRow(engine.db, id);
    const resend = async () => await resendWebhookEvent(engine.db, owner, event_id, 'key:dev');
    const results = await atOnce(30, resend);
    expect(results.filter(({ kind }) => kind === 'resent')).toHaveLength(20);
    expect(results.filter(({ kind }) => kind === 'too-often')).toHaveLength(10);
    expect(await listResends(engine.db, id)).toHaveLength(20);

    const oldest = engine.db.selectFrom('webhook_resends').select('id').where('webhook_event_id', '=', id);
    await engine.db
      .updateTable('webhook_resends')
      .set({ requested_at: sql<Date>`now() - interval '59 minutes'` })
      .where('id', '=', oldest.orderBy('id').limit(1))
      .execute();
    const refused = await resend();
    const seconds = refused.kind === 'too-often' ? refused.retryAfterSeconds : 0;
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
    await engine.db
      .updateTable('webhook_resends')
      .set({ requested_at: sql<Date>`now() - interval '61 minutes'` })
      .where('id', '=', oldest.orderBy('id').limit(1))
      .execute();
    expect(await resend()).toEqual({ kind: 'resent', id });
    expect(await resend()).toMatchObject({ kind: 'too-often' });
  });

  it('shows the latest hundred requests, oldest first', async () => {
    const id = await eventThatIs('applied');
    await sql`insert into webhook_resends (webhook_event_id, requested_by, status_before)
      select ${id}, 'key:' || n, 'applied' from generate_series(1, 150) as n`.execute(engine.db);
    const shown = (await listResends(engine.db, id)).map(({ requested_by: by }) => by);
    expect([shown.length, shown.at(0), shown.at(-1)]).toEqual([100, 'key:51', 'key:150']);
  });

  it('of another application is not found', async () => {
    const { event_id } = await eventRow(engine.db, await eventThatIs('ignored'));
    const other = { ...owner, application: 'another' };
    expect(await resendWebhookEvent(engine.db, other, event_id, 'key:dev')).toEqual({ kind: 'unknown' });
  });
});

it('the events of a payment are listed newest first, page by page', async () => {
  const { paymentId } = newIdentity();
  const ids: number[] = [];
  for (let i = 0; i < 3; i += 1) {
    const { id } = await journalWebhookEvent(engine.db, newEvent());
    await markWebhookEvent(engine.db, await leased(engine.db, id), 'applied', { subjectId: paymentId });
    ids.unshift(id);
  }
  const page = async (before?: number) =>
    (
      await findWebhookEvents(engine.db, {
        ...owner,
        subjectId: paymentId,
        limit: 2,
        ...(before !== undefined && { before }),
      })
    ).map(({ id }) => id);
  expect(await page()).toEqual(ids.slice(0, 2));
  expect(await page(ids[1])).toEqual(ids.slice(2));
});
