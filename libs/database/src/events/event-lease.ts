import { sql } from 'kysely';
import type { Database } from '../connection/database.js';
import { parameter, prepared, runPrepared } from '../connection/prepared.js';
import { type StatusChange, changeTo, historyWith, instantIn, reachedWith } from './event-status.js';
import type { WebhookEventRow, WebhookStatus } from '../schema/schema.js';

/** A leased event; `dispatches` is the number of its lease. */
export type LeasedEvent = Pick<WebhookEventRow, (typeof leasedColumns)[number]>;

export const leasedColumns = [
  'id',
  'environment',
  'application',
  'event_id',
  'event_type',
  'resource',
  'resource_ids',
  'dispatches',
  'contradictions',
  'first_content',
] as const;

/**
 * Leases received (or abandoned) events to the caller. Two dispatchers never get the same event. If a dispatcher dies,
 * its lease ends, so no event is lost.
 *
 * @returns each event at its index; undefined if it has its last status or is leased to another dispatcher.
 */
export async function leaseWebhookEvents(
  db: Database,
  ids: readonly number[],
  leaseMs: number,
): Promise<readonly (LeasedEvent | undefined)[]> {
  const leased = await runPrepared(db, leasing, [ids, leaseMs]);
  const byId = new Map(leased.map((event) => [event.id, event]));
  return ids.map((id) => byId.get(id));
}

const leasing = prepared('lease-events', (db) => {
  const free = db
    .selectFrom('webhook_events')
    .select('id')
    .where(sql<boolean>`id = any(${parameter(1)}::bigint[])`)
    .where((where) =>
      where.or([
        where('status', '=', 'received'),
        where.and([where('status', '=', 'dispatching'), where('due_at', '<', sql<Date>`clock_timestamp()`)]),
      ]),
    )
    // Rows locked by others are skipped: their holder leases the event, and waiting for several rows could deadlock.
    .forUpdate()
    .skipLocked();
  return db
    .updateTable('webhook_events')
    .set({
      ...changeTo('dispatching'),
      due_at: instantIn(parameter<number>(2)),
      dispatches: sql<number>`dispatches + 1`,
    })
    .where('id', 'in', free)
    .returning(leasedColumns);
});

/** The new status of a leased event. */
export interface EventMark {
  readonly lease: Pick<LeasedEvent, 'id' | 'dispatches'>;
  readonly status: WebhookStatus;
  readonly change?: StatusChange;
}

/**
 * Ends leases. A dispatcher whose lease was taken over writes nothing: the other one's result counts.
 *
 * @returns for each mark, at its index, false if its lease was lost.
 */
export async function markWebhookEvents(
  db: Database,
  marks: readonly EventMark[],
): Promise<readonly boolean[]> {
  const column = <T>(valueOf: (mark: EventMark) => T): T[] => marks.map(valueOf);
  const rows = await runPrepared<{ id: number }>(db, marking, [
    column(({ lease }) => lease.id),
    column(({ lease }) => lease.dispatches),
    column((mark) => mark.status),
    column(({ change }) => change?.detail ?? null),
    column(({ change }) => change?.subjectId ?? null),
    column(({ change }) => change?.dueInMs ?? null),
  ]);
  const marked = new Set(rows.map(({ id }) => id));
  return marks.map(({ lease }) => marked.has(lease.id));
}

const marking = prepared('mark-events', () => {
  const status = reachedWith(sql<WebhookStatus>`mark.status`);
  return sql`
    update webhook_events set
      status = ${status},
      status_at = clock_timestamp(),
      due_at = ${instantIn(sql<number | null>`mark.due_in_ms`)},
      history = ${historyWith(status, sql<string | null>`mark.detail`)},
      subject_id = coalesce(mark.subject_id, webhook_events.subject_id),
      detail = coalesce(mark.detail, webhook_events.detail)
    from unnest(
      ${parameter(1)}::bigint[],
      ${parameter(2)}::integer[],
      ${parameter(3)}::text[],
      ${parameter(4)}::text[],
      ${parameter(5)}::text[],
      ${parameter(6)}::float8[]
    ) as mark (id, dispatches, status, detail, subject_id, due_in_ms)
    where webhook_events.id = mark.id
      and webhook_events.status = 'dispatching'
      and webhook_events.dispatches = mark.dispatches
    returning webhook_events.id`;
});

/** @returns false if the lease was lost. */
export async function markWebhookEvent(
  db: Database,
  lease: EventMark['lease'],
  status: WebhookStatus,
  change: StatusChange = {},
): Promise<boolean> {
  const [isMarked = false] = await markWebhookEvents(db, [{ lease, status, change }]);
  return isMarked;
}
