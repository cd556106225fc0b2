import { readClock } from '#database/commands';
import type { Database } from '#database/connection';

/**
 * The most milliseconds by which a worker's clock may differ from the database's. Deadlines use the worker's clock and
 * outcome horizons the database's. A worker whose clock is far ahead would act on deadlines too early.
 */
const mostOffsetMs = 2_000;

/** Less than this is no step of the clock. */
const leastStepMs = 1_000;

type Activity = (...args: unknown[]) => Promise<unknown>;

/**
 * Lets activities begin only while the worker's clock is right. It was right when the worker started (`assertClock`). It
 * may be set later, or a machine that was suspended may go on with an old one. Then it has moved against the monotonic
 * clock, and is compared with the database's again.
 *
 * @param check throws if the clock is wrong; the activity is tried again.
 */
export function onRightClock<Activities extends object>(
  activities: Activities,
  check: () => Promise<void>,
): Activities {
  let known = Date.now() - performance.now();
  const assertUnmoved = async () => {
    const present = Date.now() - performance.now();
    if (Math.abs(present - known) < leastStepMs) return;
    await check();
    known = present;
  };
  const guarded = Object.entries(activities).map(([name, activity]) => [
    name,
    async (...args: unknown[]) => {
      await assertUnmoved();
      return await (activity as Activity)(...args);
    },
  ]);
  return Object.fromEntries(guarded) as Activities;
}

/**
 * @param now the worker's clock, in milliseconds.
 * @throws {ClockOffError} if it differs more.
 */
export async function assertClock(db: Database, now: () => number = Date.now): Promise<void> {
  const askedAt = now();
  const there = (await readClock(db)).getTime();
  const answeredAt = now();
  // The database read its clock between the two instants, so the duration of the query does not count.
  const offsetMs = Math.max(askedAt - there, there - answeredAt, 0);
  if (offsetMs > mostOffsetMs) throw new ClockOffError(offsetMs);
}

/** Logs contain only its name. */
export class ClockOffError extends Error {
  override readonly name = 'ClockOffError';

  constructor(offsetMs: number) {
    super(`The clock of this machine differs by ${offsetMs} ms from the database's.`);
  }
}
