import { randomUUID } from 'node:crypto';
import { findFailedCalls } from '#database/commands';
import type { Database } from '#database/connection';
import type { AttemptRow } from '#database/schema';
import { isPoisoned } from './poisoned-key.js';

/**
 * What identifies one operation at the provider: the request id for deduplication, and our reference in its records.
 */
export interface AttemptIdentity {
  readonly requestId: string;
  /** Used to search the provider's records when the answer is lost. */
  readonly reference: string;
}

/**
 * A repeat is exactly the request that was proved undone: same key, same reference, same body. If the proof was wrong,
 * a provider that honours the key answers with the first result, and one that checks invoice numbers refuses. A new
 * identity would move the money again. Only a poisoned key is replaced, because under it the operation could never be
 * carried out (docs/decisions/0009).
 *
 * @param earlier the step's attempts so far, all proved undone.
 */
export async function identityOfAttempt(
  db: Database,
  subjectId: string,
  earlier: readonly AttemptRow[],
): Promise<AttemptIdentity> {
  const last = earlier.at(-1);
  if (!last) return freshIdentity(subjectId);
  const failures = await findFailedCalls(db, subjectId, last.request_id);
  const underKey = earlier.filter(({ request_id }) => request_id === last.request_id);
  if (isPoisoned(failures, underKey)) return freshIdentity(subjectId);
  return { requestId: last.request_id, reference: last.reference };
}

function freshIdentity(subjectId: string): AttemptIdentity {
  const requestId = randomUUID();
  return { requestId, reference: `${subjectId}-${requestId.slice(0, 8)}` };
}
