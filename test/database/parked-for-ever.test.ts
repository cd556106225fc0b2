import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import {
  countWaitingEvents,
  firstParkedMs,
  giveUpParkedEvents,
  journalWebhookEvent,
  markWebhookEvent,
  unparkWebhookEvents,
} from '#database/events';
import { writeTransition } from '#database/transitions';
import { payment } from '../lifecycle/payment/sample-payments.js';
import {
  authorizationEvent,
  eventRow,
  leased,
  newIdentity,
  owner,
  useEngineDatabase,
  parkedEvent,
  storePayment,
  transition,
  withOwnIds,
} from './engine-database.js';

const engine = useEngineDatabase();

const waitingMs = async (id: number) => {
  const { rows } = await sql<{
    ms: number;
  }>`select 1000 * extract(epoch from due_at - clock_timestamp())::float8
    as ms from webhook_events where id = ${id}`.execute(engine.db);
  return rows[0]!.ms;
};
const parkedSince = async (id: number, ago: string) =>
  await sql`update webhook_events set received_at = now() - ${ago}::interval, due_at = now() - interval '1 s'
    where id = ${id}`.execute(engine.db);

describe('an event that stays parked', () => {
  it('is looked at again after growing pauses, and stays listed with its age', async () => {
    const identity = newIdentity();
    const id = await parkedEvent(engine.db, identity, `CAP-${identity.paymentId}`, 'completed');
    expect(await waitingMs(id)).toBeLessThanOrEqual(firstParkedMs);
    for (const [age, atLeast, atMost] of [
      ['1 second', firstParkedMs / 2, firstParkedMs],
      ['10 minutes', 599_000, 601_000],
      ['20 days', 3_599_000, 3_600_000],
    ] as const) {
      await parkedSince(id, age);
      await unparkWebhookEvents(engine.db, 1_000);
      expect(await waitingMs(id)).toBeGreaterThan(atLeast - 5_000);
      expect(await waitingMs(id)).toBeLessThanOrEqual(atMost);
    }
    const waiting = await countWaitingEvents(engine.db, identity);
    const oldest = waiting.find(({ status }) => status === 'parked')?.oldest.getTime() ?? Date.now();
    expect(Date.now() - oldest).toBeGreaterThan(19 * 86_400_000);
  });

  it('does not delay others: each look takes those that have waited longest, and no more than asked', async () => {
    const identity = newIdentity();
    const ids: number[] = [];
    for (let i = 0; i < 5; i += 1) {
      const id = await parkedEvent(engine.db, identity, `CAP-${i}-${identity.paymentId}`, 'completed');
      await parkedSince(id, '1 hour');
      ids.push(id);
    }
    const looks: number[] = [];
    for (let i = 0; i < 3; i += 1) looks.push((await unparkWebhookEvents(engine.db, 2)).read);
    expect(looks).toEqual([2, 2, 1]);
    for (const id of ids) expect(await waitingMs(id)).toBeGreaterThan(0);
  });

  it('is put back when its resource is known, and no other is', async () => {
    const identity = await storePayment(engine.db);
    const known = await journalWebhookEvent(engine.db, authorizationEvent(identity));
    const lease = await leased(engine.db, known.id);
    await writeTransition(engine.db, transition(identity, withOwnIds(payment('authorized'), identity), 1));
    await markWebhookEvent(engine.db, lease, 'parked', { dueInMs: -1 });
    const unknown = await parkedEvent(engine.db, newIdentity(), 'CAP-OF-NOBODY', 'completed');
    await parkedSince(unknown, '1 hour');
    const { putBack } = await unparkWebhookEvents(engine.db, 1_000);
    expect(putBack).toEqual([known.id]);
    expect(await eventRow(engine.db, known.id)).toMatchObject({ status: 'received' });
    expect(await eventRow(engine.db, unknown)).toMatchObject({ status: 'parked' });
  });

  it('is given up after days if nobody knows its resource, and not if it waits for the answer to a call', async () => {
    const { paymentId: subjectId } = await storePayment(engine.db);
    const [waiting, unknown] = await Promise.all(
      [1, 2].map(
        async (nth) => await parkedEvent(engine.db, newIdentity(), `CAP-${nth}-${subjectId}`, 'completed'),
      ),
    );
    await sql`update webhook_events set subject_id = ${subjectId} where id = ${waiting}`.execute(engine.db);
    for (const id of [waiting!, unknown!]) await parkedSince(id, '4 days');
    await giveUpParkedEvents(engine.db, owner, { parkedForMs: 3 * 86_400_000, limit: 1_000 });
    expect(await eventRow(engine.db, waiting!)).toMatchObject({ status: 'parked' });
    expect(await eventRow(engine.db, unknown!)).toMatchObject({ status: 'ignored' });
  });
});
