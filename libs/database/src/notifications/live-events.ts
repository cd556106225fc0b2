import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../connection/database.js';
import type { NotificationRow } from '../schema/notification-tables.js';
import type { Owner } from '../schema/owner.js';

/** A place in the order of all notifications. */
export interface Position {
  /** The number of the transaction that wrote it, as a decimal. */
  readonly transaction: string;
  readonly sequence: string;
}

export interface LiveEvent extends Omit<NotificationRow, 'fact'> {
  readonly written_by: string;
  /** The payment of a refund; otherwise the subject itself. */
  readonly about: string;
}

/** The place after everything that is committed now. */
export async function presentPosition(db: Database): Promise<Position> {
  const { rows } = await sql<{ open: string }>`
    select pg_snapshot_xmin(pg_current_snapshot())::text as open`.execute(db);
  return { transaction: String(BigInt(rows[0]?.open ?? 1) - 1n), sequence: '9223372036854775807' };
}

/**
 * Whether this database can have had a place. After a restore to an earlier moment listeners come back with later places,
 * and would get nothing for a long time.
 */
export async function isKnownPosition(db: Database, { transaction }: Position): Promise<boolean> {
  return BigInt(transaction) <= BigInt((await presentPosition(db)).transaction);
}

/**
 * Notifications after a place, in the order in which they can be sent: those of transactions that are older than every
 * open one. None can come before them any more.
 *
 * @param owner only this application's.
 * @param until only up to this place.
 */
export async function listLiveEvents(
  db: Database,
  { after, until, owner, limit }: { after: Position; until?: Position; owner?: Owner; limit: number },
): Promise<LiveEvent[]> {
  const isOwn = owner
    ? sql`environment = ${owner.environment} and application = ${owner.application}`
    : sql`true`;
  const { rows } = await sql<LiveEvent>`
    select sequence, id, environment, application, type, subject_id, item_id, version, state, refund_changes, refunds,
      payload, created_at,
      written_by::text as written_by,
      coalesce((select payment_id from refunds where refunds.id = notifications.subject_id), subject_id) as about
    from notifications
    where ${isOwn} and (written_by, sequence) > ${placeOf(after)}
      and ${until ? sql`(written_by, sequence) <= ${placeOf(until)}` : sql`true`}
      and written_by < pg_snapshot_xmin(pg_current_snapshot())
    -- Of the table: the text of the same name puts transaction 1000 before 999.
    order by notifications.written_by, sequence limit ${limit}`.execute(db);
  return rows;
}

function placeOf({ transaction, sequence }: Position): RawBuilder<unknown> {
  return sql`(${transaction}::text::xid8, ${sequence}::bigint)`;
}

/** From now on notifications of the application are written, even if it has no endpoint. */
export async function noteListener(db: Database, { environment, application }: Owner): Promise<void> {
  await sql`insert into event_listeners (environment, application) values (${environment}, ${application})
    on conflict do nothing`.execute(db);
}
