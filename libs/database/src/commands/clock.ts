import type { Database } from '../connection/database.js';
import { readClock } from './attempts.js';

/**
 * The most milliseconds by which the clock of a process may differ from the database's. Outcome horizons use both, and the
 * times in which an order can be approved and captured the API's. A process whose clock is far ahead would prove too
 * early, or refuse what is right.
 */
export const mostOffsetMs = 2_000;

/**
 * @param now the clock of this process, in milliseconds.
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
