import { findDecline } from '#database/calls';
import type { Database } from '#database/connection';
import type { Problem } from '../problems/problem.js';

/**
 * Adds what the provider said when it refused a request; nothing if it did not refuse this one, or if the call is no
 * longer recorded.
 *
 * @param commandId absent: the request ordered the subject, and every call of the subject belongs to it.
 */
export async function withDecline(
  db: Database,
  problem: Problem,
  subjectId: string,
  commandId?: string,
): Promise<Problem> {
  if (problem.code !== 'provider_refused') return problem;
  const decline = await findDecline(db, subjectId, commandId);
  return problem.with({
    ...(decline?.code && { providerCode: decline.code }),
    ...(decline?.debugId && { providerDebugId: decline.debugId }),
  });
}
