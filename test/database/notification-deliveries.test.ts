import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { keepPayloads, leaseDeliveries, recordDelivered, recordFailure } from '#database/notifications';
import { writeTransition } from '#database/transitions/write-transition.js';
import { storePayment, useEngineDatabase } from './engine-database.js';
import { going, register } from './subject-notifications.js';

const engine = useEngineDatabase();
beforeEach(async () => {
  await engine.db.deleteFrom('notification_endpoints').execute();
});

describe('deliveries that are due', () => {
  const settings = { mostPerEndpoint: 2, mostAhead: 0, leaseMs: 60_000 };

  it('are leased to one process, the first of each payment, and a bounded number for each endpoint', async () => {
    await engine.db.deleteFrom('notification_deliveries').execute();
    const [one, two] = [await register(engine.db), await register(engine.db)];
    const identities = [];
    for (let n = 0; n < 3; n += 1) {
      const identity = await storePayment(engine.db);
      identities.push(identity);
      await writeTransition(engine.db, going(identity, 'authorizing', 'authorized', 3));
      await writeTransition(engine.db, going(identity, 'voiding', 'voided', 4));
    }
    const taken = await Promise.all(
      Array.from({ length: 4 }, async () => await leaseDeliveries(engine.db, new Map([[two, 1]]), settings)),
    );
    const leased = taken.flat();
    expect(leased.every(({ type }) => type === 'payment.authorized')).toBe(true);
    expect(new Set(leased.map(({ delivery_id: id }) => id)).size).toBe(leased.length);
    for (const each of taken) {
      expect(each.filter(({ endpoint_id: id }) => id === one).length).toBeLessThanOrEqual(2);
      expect(each.filter(({ endpoint_id: id }) => id === two).length).toBeLessThanOrEqual(1);
    }
    expect(leased.filter(({ endpoint_id: id }) => id === one).length).toBe(3);
  });

  it('follow the first of their lane: they are not due before it is tried again', async () => {
    await engine.db.deleteFrom('notification_deliveries').execute();
    await register(engine.db);
    const identity = await storePayment(engine.db);
    await writeTransition(engine.db, going(identity, 'authorizing', 'authorized', 3));
    await writeTransition(engine.db, going(identity, 'voiding', 'voided', 4));
    const [first] = await leaseDeliveries(engine.db, new Map(), settings);
    const rules = { disableAfterMs: 60_000, restMs: () => 0, isGone: false };
    const failure = { durationMs: 1, reason: 'It answered 500.', state: 'pending', dueInMs: 60_000 } as const;
    await recordFailure(engine.db, first!, failure, rules);
    const due = await engine.db.selectFrom('notification_deliveries').select('due_at').execute();
    expect(due.length).toBe(2);
    expect(due[0]?.due_at).toEqual(due[1]?.due_at);
    expect(due[0]?.due_at.getTime()).toBeGreaterThan(Date.now() + 30_000);
    // Its lease is over: what another process finds out later counts no more.
    await recordDelivered(engine.db, [{ delivery: { ...first!, leases: 0 }, durationMs: 1, status: 204 }]);
    const states = await engine.db.selectFrom('notification_deliveries').select('state').execute();
    expect(states.map(({ state }) => state)).toEqual(['pending', 'pending']);
  });

  it('are not put off by a process whose lease another one has taken over', async () => {
    await engine.db.deleteFrom('notification_deliveries').execute();
    await register(engine.db);
    const identity = await storePayment(engine.db);
    await writeTransition(engine.db, going(identity, 'authorizing', 'authorized', 3));
    await writeTransition(engine.db, going(identity, 'voiding', 'voided', 4));
    const [lost] = await leaseDeliveries(engine.db, new Map(), settings);
    // Its lease ends, and the next process makes the attempt.
    await engine.db.updateTable('notification_deliveries').set({ due_at: new Date() }).execute();
    await leaseDeliveries(engine.db, new Map(), settings);
    const due = async () =>
      await engine.db.selectFrom('notification_deliveries').select('due_at').orderBy('sequence').execute();
    const before = await due();
    const rules = { disableAfterMs: 60_000, restMs: () => 0, isGone: false };
    const failure = {
      durationMs: 1,
      reason: 'It answered 500.',
      state: 'pending',
      dueInMs: 600_000,
    } as const;
    await recordFailure(engine.db, lost!, failure, rules);
    expect(await due()).toEqual(before);
  });

  it('are more for an endpoint that does not fail: some are made ready while others are sent', async () => {
    await engine.db.deleteFrom('notification_deliveries').execute();
    const [well, failing] = [await register(engine.db), await register(engine.db)];
    await engine.db
      .updateTable('notification_endpoints')
      .set({ failures: 1 })
      .where('id', '=', failing)
      .execute();
    for (let n = 0; n < 4; n += 1)
      await writeTransition(engine.db, going(await storePayment(engine.db), 'authorizing', 'authorized', 3));
    const leased = await leaseDeliveries(engine.db, new Map(), { ...settings, mostAhead: 1 });
    const countOf = (endpoint: string) => leased.filter(({ endpoint_id: id }) => id === endpoint).length;
    expect([countOf(well), countOf(failing)]).toEqual([3, 2]);
  });
});

describe('results of attempts', () => {
  const settings = { mostPerEndpoint: 16, mostAhead: 0, leaseMs: 60_000 };
  const rules = { disableAfterMs: 60_000, restMs: () => 60_000, isGone: false };
  const failure = { durationMs: 1, reason: 'It answered 500.', state: 'pending', dueInMs: 0 } as const;

  async function leasedOf(count: number) {
    await engine.db.deleteFrom('notification_deliveries').execute();
    const endpoint = await register(engine.db);
    for (let n = 0; n < count; n += 1)
      await writeTransition(engine.db, going(await storePayment(engine.db), 'authorizing', 'authorized', 3));
    return { endpoint, leased: await leaseDeliveries(engine.db, new Map(), settings) };
  }

  it('are recorded together, except of the one whose lease another process has taken over', async () => {
    const { endpoint, leased } = await leasedOf(3);
    await engine.db
      .updateTable('notification_endpoints')
      .set({ failures: 3 })
      .where('id', '=', endpoint)
      .execute();
    await engine.db
      .updateTable('notification_deliveries')
      .set({ leases: 2 })
      .where('id', '=', leased[1]!.delivery_id)
      .execute();
    await recordDelivered(
      engine.db,
      leased.map((delivery, place) => ({ delivery, durationMs: 10 + place, status: 200 + place })),
    );
    const { rows } = await sql`
      select state, last_status, finished_at is not null as has_ended, attempt.number, duration_ms, status
      from notification_deliveries delivery join notification_attempts attempt on attempt.delivery_id = delivery.id
      order by delivery.id`.execute(engine.db);
    expect(rows).toEqual([
      { state: 'delivered', last_status: 200, has_ended: true, number: 1, duration_ms: 10, status: 200 },
      { state: 'pending', last_status: null, has_ended: false, number: 1, duration_ms: 11, status: 201 },
      { state: 'delivered', last_status: 202, has_ended: true, number: 1, duration_ms: 12, status: 202 },
    ]);
    const endpoints = await engine.db.selectFrom('notification_endpoints').select('failures').execute();
    expect(endpoints).toEqual([{ failures: 0 }]);
  });

  it('that come while their endpoint rests already make its rest no longer', async () => {
    const { leased } = await leasedOf(2);
    const endpoint = async () =>
      await engine.db
        .selectFrom('notification_endpoints')
        .select(['failures', 'resting_until'])
        .executeTakeFirstOrThrow();
    await recordFailure(engine.db, leased[0]!, failure, rules);
    const resting = await endpoint();
    await recordFailure(engine.db, leased[1]!, failure, rules);
    expect(await endpoint()).toEqual(resting);
    await engine.db.updateTable('notification_endpoints').set({ resting_until: new Date() }).execute();
    await recordFailure(engine.db, leased[1]!, failure, rules);
    expect((await endpoint()).failures).toBe(resting.failures + 1);
  });
});

describe('payloads of notifications', () => {
  it('are kept together; the first one of each counts, whichever process made it', async () => {
    await register(engine.db);
    for (let n = 0; n < 3; n += 1)
      await writeTransition(engine.db, going(await storePayment(engine.db), 'authorizing', 'authorized', 3));
    const newest = await engine.db
      .selectFrom('notifications')
      .select('sequence')
      .orderBy('sequence', 'desc')
      .limit(3)
      .execute();
    const [one, two, three] = newest.map(({ sequence }) => sequence);
    await keepPayloads(engine.db, new Map([[two!, 'first']]));
    const kept = await Promise.all([
      keepPayloads(
        engine.db,
        new Map([
          [one!, 'a'],
          [two!, 'second'],
          [three!, 'a'],
        ]),
      ),
      keepPayloads(
        engine.db,
        new Map([
          [three!, 'b'],
          [two!, 'third'],
          [one!, 'b'],
        ]),
      ),
    ]);
    expect(kept[0]).toEqual(kept[1]);
    expect(kept[0].get(two!)).toBe('first');
    const rows = await engine.db
      .selectFrom('notifications')
      .select(['sequence', 'payload', 'state'])
      .where('sequence', 'in', [one!, two!, three!])
      .execute();
    expect(new Map(rows.map(({ sequence, payload }) => [sequence, payload]))).toEqual(kept[0]);
    expect(rows.map(({ state }) => state)).toEqual([null, null, null]);
  });
});
