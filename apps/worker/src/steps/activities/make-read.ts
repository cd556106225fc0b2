import { readTwoClocks } from '../../process/two-clocks.js';
import type { ActivityContext } from './context.js';
import type { Calls } from './subject-writer.js';

/** A read that is written with the event that follows from it. */
export interface MadeRead {
  readonly calls: Calls;
  /** By the database's clock; absent if the provider was not asked for everything that the read is to show. */
  readonly beganAt?: Date;
}

/**
 * Makes a read. Its begin shows a caller who has asked for a check whether the provider was asked since.
 *
 * @param read gets the instant from which its absences count: `lookedAt`, which has passed by both clocks.
 */
export async function makeRead<Shown>(
  { db, providers }: ActivityContext,
  read: (lookedAt: number) => Promise<Shown>,
): Promise<{ readonly shown: Shown; readonly made: Required<MadeRead>; readonly lookedAt: number }> {
  const { atDatabase: beganAt, surely: lookedAt } = await readTwoClocks(db);
  const { result: shown, calls } = await providers.recording(() => read(lookedAt));
  return { shown, made: { calls, beganAt }, lookedAt };
}
