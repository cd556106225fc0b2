import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../connection/database.js';
import type { NotificationEndpointRow } from '../schema/notification-tables.js';
import type { Owner } from '../schema/owner.js';
import { laneOf, takes } from './notification-rows.js';

/** The most notifications of one replay: the caller asks again for the rest. */
const mostReplayed = 10_000;

interface AsOf {
  /** Leaves alone what has ended since: a form that is sent twice delivers once. */
  readonly endedBefore?: Date | undefined;
  /** Leaves alone all others: what a person has not seen. */
  readonly only?: readonly number[];
}

/** A delivery that is asked for again has all its tries before it. One that is under way goes on. */
const again = sql`state = 'pending', tries = 0, due_at = clock_timestamp(), finished_at = null`;
const isAtRest = sql`(notification_deliveries.state <> 'pending' or notification_deliveries.tries = 0
  or notification_deliveries.last_reason is not null)`;

/**
 * Delivers a notification again to the endpoints that it was for, and to those that take its type now.
 *
 * @returns how many endpoints will get it.
 */
export async function resendNotification(db: Database, sequence: number, asOf?: AsOf): Promise<number> {
  return await deliver(
    db,
    sql`notifications.sequence = ${sequence} and (${takes('endpoint', 'notifications')}
      or exists (select from notification_deliveries earlier
        where earlier.endpoint_id = endpoint.id and earlier.sequence = notifications.sequence))`,
    1,
    asOf,
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
  asOf?: AsOf,
): Promise<number> {
  const areAsked = areReplayed(endpointId, which);
  const areChosen = asOf?.only && sql`${areAsked} and notifications.sequence = any(${asOf.only})`;
  return await deliver(db, areChosen ?? areAsked, mostReplayed, asOf);
}

/** A notification that a replay would deliver again. */
export interface ChosenNotification extends Owner {
  readonly sequence: number;
  readonly id: string;
  readonly type: string;
  readonly subject_id: string;
  readonly created_at: Date;
}

/** What a replay would deliver again, the oldest first. */
export async function listReplayed(
  db: Database,
  endpointId: string,
  which: Replayed,
  atMost: number,
): Promise<ChosenNotification[]> {
  const { rows } = await sql<ChosenNotification>`
    select sequence, id, environment, application, type, subject_id, created_at from notifications
    where sequence in (${inOrder(areReplayed(endpointId, which), atMost)}) order by sequence`.execute(db);
  return rows;
}

function areReplayed(endpointId: string, which: Replayed): RawBuilder<unknown> {
  const isAsked =
    'failed' in which
      ? sql`exists (select from notification_deliveries failed where failed.endpoint_id = endpoint.id
          and failed.sequence = notifications.sequence and failed.state = 'failed')`
      : sql`notifications.created_at >= ${which.from} and notifications.created_at < ${which.to}
          and ${takes('endpoint', 'notifications')}`;
  return sql`endpoint.id = ${endpointId} and ${isAsked}`;
}

/** The oldest ones that are asked for. */
function inOrder(areAsked: RawBuilder<unknown>, atMost: number): RawBuilder<unknown> {
  return sql`
    select notifications.sequence from notifications
    join notification_endpoints endpoint on endpoint.environment = notifications.environment
      and endpoint.application = notifications.application and endpoint.status <> 'deleted'
    where ${areAsked} order by notifications.sequence limit ${atMost}`;
}

async function deliver(
  db: Database,
  areAsked: RawBuilder<unknown>,
  atMost: number,
  { endedBefore }: AsOf = {},
): Promise<number> {
  const isAsOf = endedBefore
    ? sql`coalesce(notification_deliveries.finished_at < ${endedBefore}, true)`
    : sql`true`;
  const { numAffectedRows = 0n } = await sql`
    insert into notification_deliveries (endpoint_id, sequence, lane)
    select endpoint.id, notifications.sequence, ${laneOf('notifications')}
    from notifications
    join notification_endpoints endpoint on endpoint.environment = notifications.environment
      and endpoint.application = notifications.application and endpoint.status <> 'deleted'
    where notifications.sequence in (${inOrder(areAsked, atMost)}) and ${areAsked}
    order by notifications.sequence
    on conflict (endpoint_id, sequence) do update set ${again} where ${isAtRest} and ${isAsOf}`.execute(db);
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
