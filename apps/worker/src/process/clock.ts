import { readClock } from '#database/commands';
import type { Database } from '#database/connection';

/**
 * The most milliseconds by which a worker's clock may differ from the database's. Deadlines use the worker's clock and
 * outcome horizons the database's. A worker whose clock is far ahead would act on deadlines too early.
 */
const mostOffsetMs = 2_000;

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
