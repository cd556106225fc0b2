import { mostOffsetMs, readClock } from '#database/commands';
import type { Database } from '#database/connection';
import type { Instant } from '#workflows/lifecycle';

/** The present by the database's clock and by this worker's. Either may be set wrong for a while, ahead or behind. */
export interface TwoClocks {
  /** By the database's clock, which rows are dated by. */
  readonly atDatabase: Date;
  /**
   * For the order of reads that several workers make, whose clocks differ a little: the database's, unless that is further
   * ahead than they may be behind it. Else all reads until then would count as older.
   */
  readonly inOrder: Date;
  /** The earlier of the two: what lies before it has passed, unless both clocks are wrong. */
  readonly surely: Instant;
  /** The later of the two: what is sent until now was not sent after it. */
  readonly atLatest: Instant;
}

/**
 * For what would move money or lose an event if one clock were wrong: whether an outcome horizon has passed, and how far a
 * search has come.
 */
export async function readTwoClocks(db: Database): Promise<TwoClocks> {
  const atDatabase = await readClock(db);
  const here = Date.now();
  const surely = Math.min(atDatabase.getTime(), here);
  return {
    atDatabase,
    inOrder: atDatabase.getTime() - here > mostOffsetMs ? new Date(surely) : atDatabase,
    surely,
    atLatest: Math.max(atDatabase.getTime(), here),
  };
}
