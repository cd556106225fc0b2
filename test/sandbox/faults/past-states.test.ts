import { Pool } from 'pg';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { PastStates } from '#sandbox/faults/past-states.js';
import { createDatabase } from '../../helpers/database.js';
import { eventually } from '../sandbox-fixture.js';

/** A pool whose end can be held back. */
class HeldPool extends Pool {
  readonly endCalled = Promise.withResolvers<void>();
  readonly mayEnd = Promise.withResolvers<void>();

  override async end(): Promise<void> {
    this.endCalled.resolve();
    await this.mayEnd.promise;
    await super.end();
  }
}

it('releases what began during the release, and is asked for nothing more', async () => {
  const database = await createDatabase();
  const pools: HeldPool[] = [];
  const past = new PastStates(
    (max) => {
      const pool = new HeldPool({ connectionString: database.url, max });
      pools.push(pool);
      return pool;
    },
    pino({ enabled: false }),
  );
  await past.keepFor([1_000]);
  const closed = past.close();
  await pools[0]!.endCalled.promise;
  const begun = past.keepFor([1_000]);
  await past.keepFor([]);
  pools[0]!.mayEnd.resolve();
  await Promise.all([closed, begun]);
  // A second one is kept soon after the first.
  expect(pools[1]!.totalCount).toBeGreaterThan(0);
  pools[1]!.mayEnd.resolve();
  await eventually(() => pools[1]!.totalCount).toBe(0);
  await past.close();
  await database.drop();
});
