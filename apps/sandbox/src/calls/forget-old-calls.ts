import { sql, type Kysely } from 'kysely';
import type { Tables } from '../database/tables.js';

export interface CallRetention {
  /** How many calls are kept, the newest. */
  rows: number;
  /** How many real days a call is kept. */
  days: number;
}

export const DEFAULT_RETENTION: CallRetention = { rows: 200_000, days: 30 };

const MOST_IN_A_STATEMENT = 2_000;
const REAL_DAY_MS = 86_400_000;

/**
 * Deletes calls that are too old or too many, in small steps, so that writers never wait for long. Returns whether
 * there is more to delete.
 */
export async function forgetOldCalls(
  database: Kysely<Tables>,
  { rows, days }: CallRetention,
  now: Date,
): Promise<boolean> {
  const oldest = new Date(now.getTime() - days * REAL_DAY_MS);
  const firstTooMany = await database
    .selectFrom('calls')
    .select(['started_at', 'id'])
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .offset(rows)
    .limit(1)
    .executeTakeFirst();
  const { numDeletedRows } = await database
    .deleteFrom('calls')
    .where('id', 'in', (old) =>
      old
        .selectFrom('calls')
        .select('id')
        .where((where) =>
          where.or([
            where('started_at', '<', oldest),
            ...(firstTooMany === undefined
              ? []
              : [sql<boolean>`(started_at, id) <= (${firstTooMany.started_at}, ${firstTooMany.id})`]),
          ]),
        )
        .orderBy('started_at')
        .orderBy('id')
        .limit(MOST_IN_A_STATEMENT),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows) === MOST_IN_A_STATEMENT;
}
