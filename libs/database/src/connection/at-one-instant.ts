import type { Database } from './database.js';

/**
 * Runs reads that must fit each other: all of them see the rows of one instant. For answers that join several reads; a
 * single statement, and a read that waits for changes, does not need it.
 *
 * @param read uses only `instant`, one statement after the other, and waits for nothing else: no change, no run, no
 *   provider, no second connection, no read that callers share. Otherwise a few such reads can hold all connections of
 *   a caller and wait for each other.
 * @throws for a transaction, which may see newer rows with each statement.
 */
export async function atOneInstant<Found>(
  db: Database,
  read: (instant: Database) => Promise<Found>,
): Promise<Found> {
  return await db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read);
}
