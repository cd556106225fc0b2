import { sql } from 'kysely';
import type { Database } from '../connection/database.js';
import type { NotificationEndpointRow } from '../schema/notification-tables.js';
import type { Owner } from '../schema/owner.js';
import { laneOf, takes } from './notification-rows.js';

/** The most notifications of one replay: the caller asks again for the rest. */
const mostReplayed = 10_000;

/** A delivery that is asked for again has all its tries before it. One that is under way goes on. */
const again = sql`state = 'pending', tries = 0, due_at = clock_timestamp(), finished_at = null`;
const isAtRest = sql`(notification_deliveries.state <> 'pending' or notification_deliveries.tries = 0
  or notification_deliveries.last_reason is not null)`;

/**
 * Delivers a notification again to the endpoints that it was for, and to those that take its type now.
 *
 * @returns how many endpoints will get it.
 */
export async function resendNotification(db: Database, sequence: number): Promise<number> {
  return await deliver(
    db,
    sql`notifications.sequence = ${sequence} and (${takes('endpoint', 'notifications')}
      or exists (select from notification_deliveries earlier
        where earlier.endpoint_id = endpoint.id and earlier.sequence = notifications.sequence))`,
    1,
  );
}

export type Replayed =
  | { readonly failed: true }
  /** When they were created. */
  | { readonly from: Date; readonly to: Date };

/**
 * Delivers notifications to an endpoint again: those that failed, or all of a time that it takes now.
 *
 * @returns how many, of the oldest `mostReplayed`.
 */
export async function replayNotifications(
  db: Database,
  endpointId: string,
  which: Replayed,
): Promise<number> {
  const isAsked =
    'failed' in which
      ? sql`exists (select from notification_deliveries failed where failed.endpoint_id = endpoint.id
          and failed.sequence = notifications.sequence and failed.state = 'failed')`
      : sql`notifications.created_at >= ${which.from} and notifications.created_at < ${which.to}
          and ${takes('endpoint', 'notifications')}`;
  return await deliver(db, sql`endpoint.id = ${endpointId} and ${isAsked}`, mostReplayed);
}

async function deliver(db: Database, isAsked: ReturnType<typeof sql>, atMost: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    insert into notification_deliveries (endpoint_id, sequence, lane)
    select endpoint.id, notifications.sequence, ${laneOf('notifications')}
    from notifications
    join notification_endpoints endpoint on endpoint.environment = notifications.environment
      and endpoint.application = notifications.application and endpoint.status <> 'deleted'
    where notifications.sequence in (
      select notifications.sequence from notifications
      join notification_endpoints endpoint on endpoint.environment = notifications.environment
        and endpoint.application = notifications.application and endpoint.status <> 'deleted'
      where ${isAsked} order by notifications.sequence limit ${atMost}
    ) and ${isAsked}
    order by notifications.sequence
    on conflict (endpoint_id, sequence) do update set ${again} where ${isAtRest}`.execute(db);
  return Number(numAffectedRows);
}

/** Writes a test notification for one endpoint. @returns its id. */
export async function insertTest(
  db: Database,
  { environment, application }: Owner,
  { id }: Pick<NotificationEndpointRow, 'id'>,
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    with notification as (
      insert into notifications (environment, application, type, subject_id)
      values (${environment}, ${application}, 'endpoint.test', ${id}) returning id, sequence
    ), delivery as (
      insert into notification_deliveries (endpoint_id, sequence, lane)
      select ${id}, sequence, id from notification
    )
    select id from notification`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('a test notification has no row');
  return row.id;
}
