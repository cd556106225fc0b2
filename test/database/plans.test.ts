import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from 'kysely';
import { type Database, openDatabase } from '#database/connection';
import { acceptPlan } from '#database/subjects';
import type { PlanStatus } from '#workflows/lifecycle/plan';
import { until } from '../helpers/until.js';
import { waitingForLocks } from '../helpers/waiting-for-locks.js';
import { plan } from '../lifecycle/plan/sample-plans.js';
import { atOnce, newId, useEngineDatabase, owner } from './engine-database.js';

let db: Database;
const engine = useEngineDatabase();
beforeAll(() => {
  db = engine.db;
});

/** @returns the id of the plan that the order is answered with. */
async function order(contentHash: string, on: Database = db): Promise<string> {
  const planId = newId('plan');
  const command = {
    ...owner,
    id: `${planId}:order`,
    idempotencyKey: newId('key'),
    bodyHash: contentHash,
    kind: 'create' as const,
    subjectId: planId,
    parameters: {},
    requestedBy: 'test',
  };
  return (await acceptPlan(on, command, { contentHash, state: plan('creating') })).subject_id;
}

const deactivate = async (id: string, on: Database = db, status: PlanStatus = 'inactive') =>
  await on.updateTable('plans').set({ status }).where('id', '=', id).execute();

/** As another order does before it makes its own. */
const release = async (id: string, on: Database) =>
  await on
    .updateTable('plans')
    .set({ content_hash: newId('released') })
    .where('id', '=', id)
    .execute();

/** Waits until so many statements wait for a lock. */
const waiting = async (count: number) =>
  await until(
    () => waitingForLocks(db),
    (seen) => seen === count,
    `${count} statements to wait`,
  );

describe('equal plans that are ordered at once', () => {
  it('are another plan while the one before is being deactivated, also if it stays active then', async () => {
    const content = newId('content');
    const former = await order(content);
    await deactivate(former, db, 'deactivating');
    const other = await order(content);
    expect(other).not.toBe(former);
    await deactivate(former, db, 'active');
    expect(await order(content)).toBe(other);
  });

  it('are one plan after a deactivation, each time, of twenty', async () => {
    const content = newId('content');
    let former = await order(content);
    for (let round = 0; round < 5; round += 1) {
      await deactivate(former);
      const ids = new Set(await atOnce(20, () => order(content)));
      expect(ids.size).toBe(1);
      expect(ids).not.toContain(former);
      [former = ''] = ids;
    }
  });

  it('are created when the existing plan is released before it is found', async () => {
    const content = newId('content');
    const other = openDatabase(engine.url, { poolSize: 2 });
    const [first, second] = [
      await other.startTransaction().execute(),
      await other.startTransaction().execute(),
    ];
    const former = await order(content, first);
    // Refused once the first transaction commits; the lock that waits by then goes before the look at what is there.
    const ordered = order(content);
    await waiting(1);
    const locked = sql`lock table plans in access exclusive mode`.execute(second);
    await waiting(2);
    await first.commit().execute();
    await locked;
    await release(former, second);
    await second.commit().execute();
    const id = await ordered;
    expect(id).not.toBe(former);
    expect(await order(content)).toBe(id);
    await other.destroy();
  });
});
