import { createHash } from 'node:crypto';
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

/** The place of an attempt among those of its subject: the same in every process, and after every loss of rows. */
export interface AttemptPlace {
  readonly subjectId: string;
  /** The step's permanent name. */
  readonly stepName: string;
  readonly attemptNumber: number;
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
  place: AttemptPlace,
  earlier: readonly AttemptRow[],
): Promise<AttemptIdentity> {
  const last = earlier.at(-1);
  if (!last) return freshIdentity(place);
  const failures = await findFailedCalls(db, place.subjectId, last.request_id);
  const underKey = earlier.filter(({ request_id }) => request_id === last.request_id);
  if (isPoisoned(failures, underKey)) return freshIdentity(place);
  return { requestId: last.request_id, reference: last.reference };
}

/**
 * Not random: after the database was restored to an earlier moment, a lost attempt gets the identity again under which it
 * may have been sent (docs/decisions/0033).
 */
export function freshIdentity({ subjectId, stepName, attemptNumber }: AttemptPlace): AttemptIdentity {
  const digest = createHash('sha256').update(`${subjectId}\n${stepName}\n${attemptNumber}`).digest('hex');
  // A UUID of version 8: of our own making.
  const parts = [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `8${digest.slice(12, 15)}`,
    `a${digest.slice(15, 18)}`,
    digest.slice(18, 30),
  ];
  const requestId = parts.join('-');
  return { requestId, reference: `${subjectId}-${requestId.slice(0, 8)}` };
}
