import { sql } from 'kysely';
import type { Database } from '../connection/database.js';
import type { AttemptRow } from '../schema/schema.js';

/** The provider's answer to a POST that did not succeed. */
export interface FailedCall {
  readonly status: number;
  /** The provider's error code (`name` in its error body). */
  readonly code: string | null;
  /** The provider's id of the answer; a repeated stored answer has the first id. */
  readonly debugId: string | null;
}

/** All failed answers to a subject's POSTs under this request id, oldest first. */
export async function findFailedCalls(
  db: Database,
  subjectId: string,
  requestId: string,
): Promise<FailedCall[]> {
  const rows = await db
    .selectFrom('api_calls')
    .select(['status', 'debug_id', sql<string | null>`response->>'name'`.as('code')])
    .where('subject_id', '=', subjectId)
    .where('request_id', '=', requestId)
    .where('status', '>=', 400)
    .orderBy('id')
    .execute();
  return rows.flatMap(({ status, code, debug_id }) =>
    status === null ? [] : [{ status, code, debugId: debug_id }],
  );
}

/** The subject's command that sent a POST under each of these references, if any. */
export async function findCommandsByReference(
  db: Database,
  subjectId: string,
  references: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (references.length === 0) return new Map();
  const rows = await db
    .selectFrom('attempts')
    .select(['reference', sql<string | null>`step->>'commandId'`.as('commandId')])
    .where('subject_id', '=', subjectId)
    .where('reference', 'in', references)
    .execute();
  return new Map(
    rows.flatMap(({ reference, commandId }) => (commandId === null ? [] : [[reference, commandId]])),
  );
}

/** All attempts of a subject, oldest first. */
export async function listAttempts(db: Database, subjectId: string): Promise<AttemptRow[]> {
  return await db
    .selectFrom('attempts')
    .selectAll()
    .where('subject_id', '=', subjectId)
    .orderBy('id')
    .execute();
}

/** The clock that dates rows. The clocks of workers may differ from it; an outcome horizon must have passed by both. */
export async function readClock(db: Database): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('the database returned no time');
  return row.now;
}
