import { type RawBuilder, sql } from 'kysely';
import type { WebhookStatus } from '../schema/schema.js';

/** Enough for a long outage; what is dropped is the middle, so that beginning and end stay. */
const longestHistory = 50;
const keptFromTheBeginning = 10;

export interface StatusChange {
  readonly detail?: string;
  /** The payment that the event was found to be about. */
  readonly subjectId?: string;
  /** When the sweep shall take the event up, in milliseconds from now; never when absent. */
  readonly dueInMs?: number;
}

/**
 * The columns of a change of status, each change visible and timed. All instants are the database's: the clocks of two
 * dispatchers differ, and a lease must end for both at the same moment.
 */
export function changeTo(status: WebhookStatus, { detail, subjectId, dueInMs }: StatusChange = {}) {
  const reached = reachedWith(sql<WebhookStatus>`${status}::text`);
  return {
    status: reached,
    status_at: sql<Date>`clock_timestamp()`,
    due_at: dueInMs === undefined ? null : instantIn(dueInMs),
    history: historyWith(reached, detail),
    ...(subjectId !== undefined && { subject_id: subjectId }),
    ...(detail !== undefined && { detail }),
  };
}

/** What came under an id that also came with another content is not simply applied, unless the provider has shown it. */
export function reachedWith(status: RawBuilder<WebhookStatus>): RawBuilder<WebhookStatus> {
  return sql<WebhookStatus>`case when ${status} in ('applied', 'ignored') and webhook_events.contradictions > 0
    and webhook_events.shown_at is null then 'conflict' else ${status} end`;
}

/** @param ms may be a fraction or negative. */
export function instantIn(ms: number | RawBuilder<number | null>): RawBuilder<Date> {
  return sql<Date>`clock_timestamp() + ${ms}::float8 * interval '1 millisecond'`;
}

/** @param status of the row as it will be. */
export function historyWith(
  status: RawBuilder<WebhookStatus>,
  detail?: string | RawBuilder<string | null>,
): RawBuilder<string> {
  const change = sql`jsonb_strip_nulls(jsonb_build_object(
    'status', ${status}, 'at', clock_timestamp(), 'detail', ${detail ?? null}::text))`;
  return sql<string>`case when jsonb_array_length(webhook_events.history) < ${sql.lit(longestHistory)}
    then webhook_events.history else webhook_events.history - ${sql.lit(keptFromTheBeginning)} end || ${change}`;
}
