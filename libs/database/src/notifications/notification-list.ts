import { type ExpressionBuilder, type RawBuilder, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { Database } from '../connection/database.js';
import { parameter, prepared, runPrepared } from '../connection/prepared.js';
import type { DeliveryState, NotificationRow } from '../schema/notification-tables.js';
import type { Owner } from '../schema/owner.js';
import type { EngineTables } from '../schema/schema.js';
import { ofSpan } from '../tables/rows-of-time.js';

/** A delivery as a list shows it. */
export interface ShownDelivery {
  readonly id: number;
  readonly endpoint_id: string;
  readonly state: DeliveryState;
  readonly tries: number;
  readonly due_at: string;
  readonly last_status: number | null;
  readonly last_reason: string | null;
  readonly finished_at: string | null;
}

export interface NotificationWithDeliveries extends NotificationRow {
  readonly deliveries: readonly ShownDelivery[];
}

export interface NotificationFilter extends Owner {
  readonly type?: string | undefined;
  readonly subjectId?: string | undefined;
  readonly endpointId?: string | undefined;
  readonly deliveryState?: DeliveryState | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  readonly before?: number | undefined;
  readonly limit: number;
}

/** Newest first. */
export async function listNotifications(
  db: Database,
  filter: NotificationFilter,
): Promise<NotificationWithDeliveries[]> {
  const isOfSpan = await ofSpan(db, 'notifications', filter);
  const isFiltered = filter.endpointId !== undefined || filter.deliveryState !== undefined;
  const asked = isFiltered
    ? sql<boolean>`notifications.sequence in (${deliveredSequences(filter, isOfSpan)})`
    : conditionsOf(filter, sql.ref('notifications.sequence'), isOfSpan);
  return await withDeliveries(db).where(asked).orderBy('sequence', 'desc').limit(filter.limit).execute();
}

/** The newest of each endpoint, by its own index: the deliveries in one state may be few among many. */
function deliveredSequences(filter: NotificationFilter, isOfSpan: RawBuilder<boolean>): RawBuilder<unknown> {
  const { environment, application, endpointId, deliveryState, limit } = filter;
  return sql`
    select delivered.sequence from notification_endpoints endpoint
    cross join lateral (
      select delivery.sequence from notification_deliveries delivery
      join notifications on notifications.sequence = delivery.sequence
      where delivery.endpoint_id = endpoint.id
        ${deliveryState ? sql`and delivery.state = ${sql.lit(deliveryState)}` : sql``}
        and ${conditionsOf(filter, sql.ref('delivery.sequence'), isOfSpan)}
      order by delivery.sequence desc limit ${limit}
    ) delivered
    where endpoint.environment = ${environment} and endpoint.application = ${application}
      ${endpointId === undefined ? sql`` : sql`and endpoint.id = ${endpointId}`}`;
}

function conditionsOf(
  { environment, application, type, subjectId, before }: NotificationFilter,
  sequence: RawBuilder<unknown>,
  isOfSpan: RawBuilder<boolean>,
): RawBuilder<boolean> {
  const conditions = [
    sql`notifications.environment = ${environment} and notifications.application = ${application}`,
    type === undefined ? undefined : sql`notifications.type = ${type}`,
    subjectId === undefined ? undefined : sql`notifications.subject_id = ${subjectId}`,
    isOfSpan,
    before === undefined ? undefined : sql`${sequence} < ${before}`,
  ];
  return sql<boolean>`(${sql.join(
    conditions.filter((each) => each !== undefined),
    sql` and `,
  )})`;
}

export async function findNotification(
  db: Database,
  { environment, application }: Owner,
  id: string,
): Promise<NotificationWithDeliveries | undefined> {
  return await withDeliveries(db)
    .where('environment', '=', environment)
    .where('application', '=', application)
    .where('id', '=', id)
    .executeTakeFirst();
}

function withDeliveries(db: Database) {
  return db
    .selectFrom('notifications')
    .selectAll('notifications')
    .select((notification) => deliveriesOf(notification).as('deliveries'));
}

function deliveriesOf(notification: ExpressionBuilder<EngineTables, 'notifications'>) {
  return jsonArrayFrom(
    notification
      .selectFrom('notification_deliveries as delivery')
      .select(['delivery.id', 'delivery.endpoint_id', 'delivery.state', 'delivery.tries'])
      .select(['delivery.last_status', 'delivery.last_reason'])
      .select([
        sql<string>`delivery.due_at`.as('due_at'),
        sql<string | null>`delivery.finished_at`.as('finished_at'),
      ])
      .whereRef('delivery.sequence', '=', 'notifications.sequence')
      .orderBy('delivery.id'),
  );
}

/** The attempts of a notification, oldest first. */
export async function listNotificationAttempts(db: Database, sequence: number, limit: number) {
  return await db
    .selectFrom('notification_attempts as attempt')
    .innerJoin('notification_deliveries as delivery', 'delivery.id', 'attempt.delivery_id')
    .select(['delivery.endpoint_id', 'attempt.number', 'attempt.begun_at', 'attempt.duration_ms'])
    .select(['attempt.status', 'attempt.reason'])
    .where('delivery.sequence', '=', sequence)
    .orderBy('attempt.begun_at')
    .orderBy('attempt.number')
    .limit(limit)
    .execute();
}

/**
 * Keeps the payloads of notifications, by their sequence, in one statement and one commit. The first one of each counts,
 * so that each try sends the same bytes.
 *
 * @returns the kept payloads.
 */
export async function keepPayloads(
  db: Database,
  payloads: ReadonlyMap<number, string>,
): Promise<ReadonlyMap<number, string>> {
  const earlier = await runPrepared(db, keeping, [[...payloads.keys()], [...payloads.values()]]);
  return new Map([...payloads, ...earlier.map(({ sequence, payload }) => [sequence, payload] as const)]);
}

const keeping = prepared(
  'keep-payloads',
  () => sql<{ sequence: number; payload: string }>`
    with made as materialized (
      select * from unnest(${parameter(1)}::bigint[], ${parameter(2)}::text[]) as made (sequence, payload)
    ), locked as materialized (
      -- In order: two processes that make payloads of the same notifications could deadlock.
      select sequence, payload from notifications where sequence in (select sequence from made)
      order by sequence for update
    ), kept as (
      update notifications notification set payload = made.payload, state = null, refunds = null
      from locked join made using (sequence)
      where notification.sequence = locked.sequence and locked.payload is null
    )
    select sequence, payload from locked where payload is not null`,
);
