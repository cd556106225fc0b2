import { type RawBuilder, sql } from 'kysely';
import type { WebhookStatus } from '../schema/schema.js';

/** Enough for a long outage. Longer lists lose their middle, so that the beginning and the end remain. */
const longestHistory = 50;
const keptFromTheBeginning = 10;

export interface StatusChange {
  readonly detail?: string;
  /** The subject that was found for the event. */
  readonly subjectId?: string;
  /** When the sweep must dispatch the event, in milliseconds from now; never if absent. */
  readonly dueInMs?: number;
}

/**
 * The columns of a change of status, recorded with its time. All instants come from the database's clock: the clocks of
 * dispatchers differ, and a lease must end for all at the same time.
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

/**
 * An event whose id also came with another content is not marked as applied or ignored, unless the provider has shown
 * its content.
 */
export function reachedWith(status: RawBuilder<WebhookStatus>): RawBuilder<WebhookStatus> {
  return sql<WebhookStatus>`case when ${status} in ('applied', 'ignored') and webhook_events.contradictions > 0
    and webhook_events.shown_at is null then 'conflict' else ${status} end`;
}

/** @param ms may be a fraction or negative. */
export function instantIn(ms: number | RawBuilder<number | null>): RawBuilder<Date> {
  return sql<Date>`clock_timestamp() + ${ms}::float8 * interval '1 millisecond'`;
}

/** @param status the new status of the row. */
export function historyWith(
  status: RawBuilder<WebhookStatus>,
  detail?: string | RawBuilder<string | null>,
): RawBuilder<string> {
  const change = sql`jsonb_strip_nulls(jsonb_build_object(
    'status', ${status}, 'at', clock_timestamp(), 'detail', ${detail ?? null}::text))`;
  return sql<string>`case when jsonb_array_length(webhook_events.history) < ${sql.lit(longestHistory)}
    then webhook_events.history else webhook_events.history - ${sql.lit(keptFromTheBeginning)} end || ${change}`;
}
