import type { NewApiCall } from '#database/calls';
import type { Subject } from '#workflows/contract';
import { simulated } from './database.js';

/** In the place of libs/database/src/calls/api-calls.ts. */
export async function recordCalls(
  db: unknown,
  subject: Subject,
  calls: readonly NewApiCall[],
): Promise<void> {
  if (calls.length > 0) await simulated(db).run((rows) => rows.recordCalls(subject.id, calls));
}
