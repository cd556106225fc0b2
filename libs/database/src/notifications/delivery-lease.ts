import { sql } from 'kysely';
import type { Database } from '../connection/database.js';
import { type Prepared, parameter, prepared, runPrepared } from '../connection/prepared.js';
import type { NotificationRow } from '../schema/notification-tables.js';

/** A delivery that the caller alone may try until its lease ends. */
export interface LeasedDelivery extends Pick<
  NotificationRow,
  | 'sequence'
  | 'id'
  | 'environment'
  | 'application'
  | 'type'
  | 'subject_id'
  | 'item_id'
  | 'version'
  | 'state'
  | 'refund_changes'
  | 'refunds'
  | 'payload'
  | 'created_at'
> {
  readonly delivery_id: number;
  /** The number of the lease. */
  readonly leases: number;
  readonly tries: number;
  readonly endpoint_id: string;
  readonly lane: string;
  readonly url: string;
  readonly secret: Buffer;
  /** Those that were replaced and whose time is not over, the newest ones. */
  readonly earlier_secrets: readonly Buffer[];
}

/** How many deliveries the caller has under way, by endpoint. */
type UnderWay = ReadonlyMap<string, number>;

/** Each makes the header longer. */
const mostEarlierSecrets = 10;

export interface LeaseLimits {
  readonly mostPerEndpoint: number;
  /** So many more, while the endpoint does not fail. */
  readonly mostAhead: number;
  readonly leaseMs: number;
}

/**
 * Leases deliveries that are due, a bounded number for each endpoint, and records the begin of each attempt. Only the
 * first pending delivery of a lane is taken, whoever has leased it: the others follow when it has ended.
 */
export async function leaseDeliveries(
  db: Database,
  underWay: UnderWay,
  { mostPerEndpoint, mostAhead, leaseMs }: LeaseLimits,
): Promise<LeasedDelivery[]> {
  const busy = JSON.stringify(Object.fromEntries(underWay));
  return await runPrepared(db, leasing(mostPerEndpoint, mostAhead), [busy, leaseMs]);
}

const leasings = new Map<string, Prepared<LeasedDelivery>>();

function leasing(mostPerEndpoint: number, mostAhead: number): Prepared<LeasedDelivery> {
  const name = `lease-deliveries-${mostPerEndpoint}-${mostAhead}`;
  const known = leasings.get(name) ?? prepared(name, () => leasingOf(mostPerEndpoint, mostAhead));
  leasings.set(name, known);
  return known;
}

/**
 * The deliveries under way are given as JSON: of an array the planner sees the length, and then plans again each time.
 * Places: those deliveries, and for how long they are leased.
 */
function leasingOf(mostPerEndpoint: number, mostAhead: number) {
  const most = mostPerEndpoint + mostAhead;
  const allowed = sql`case when endpoint.failures = 0 then ${sql.lit(most)} else ${sql.lit(mostPerEndpoint)} end`;
  return sql<LeasedDelivery>`
    with busy as (
      select key as endpoint_id, value::integer as deliveries from jsonb_each_text(${parameter(1)}::jsonb)
    ), found as (
      select delivery.id, endpoint.url, endpoint.secret,
        array(
          select secret from (
            select endpoint.previous_secret, endpoint.previous_until
            union select rotation.secret, rotation.until from notification_rotations rotation
            where rotation.endpoint_id = endpoint.id
          ) earlier (secret, until)
          where until > clock_timestamp() group by secret order by max(until) desc limit ${sql.lit(mostEarlierSecrets)}
        ) as earlier_secrets,
        ${allowed} as allowed,
        coalesce(busy.deliveries, 0) + row_number() over (partition by endpoint.id order by delivery.due_at) as place
      from notification_endpoints endpoint
      left join busy on busy.endpoint_id = endpoint.id
      cross join lateral (
        select delivery.id, delivery.due_at from notification_deliveries delivery
        where delivery.endpoint_id = endpoint.id and delivery.state = 'pending'
          and delivery.due_at <= clock_timestamp()
          and not exists (select from notification_deliveries earlier
            where earlier.endpoint_id = endpoint.id and earlier.lane = delivery.lane and earlier.state = 'pending'
              and earlier.sequence < delivery.sequence)
        order by delivery.due_at, delivery.sequence
        -- A number and no expression: otherwise the planner expects to need the whole backlog.
        limit ${sql.lit(most)}
        for update skip locked
      ) delivery
      where endpoint.status = 'enabled' and coalesce(busy.deliveries, 0) < ${allowed}
        and (endpoint.resting_until is null or endpoint.resting_until <= clock_timestamp())
    ), due as (
      select * from found where place <= allowed
    ), leased as (
      update notification_deliveries delivery set leases = delivery.leases + 1,
        -- A lease that ended without a result was no try.
        tries = greatest(1, delivery.tries + case when exists (select from notification_attempts lost
          where lost.delivery_id = delivery.id and lost.number = delivery.leases and lost.duration_ms is null)
          then 0 else 1 end),
        due_at = clock_timestamp() + ${parameter(2)}::float8 * interval '1 millisecond'
      from due where delivery.id = due.id
      returning delivery.id as delivery_id, delivery.leases, delivery.tries, delivery.endpoint_id,
        delivery.lane, delivery.sequence, due.url, due.secret, due.earlier_secrets
    ), attempt as (
      insert into notification_attempts (delivery_id, number) select delivery_id, leases from leased
    )
    select leased.*, notification.id, notification.environment, notification.application, notification.type,
      notification.subject_id, notification.item_id, notification.version, notification.state, notification.refund_changes,
      notification.refunds, notification.payload, notification.created_at
    from leased join notifications notification using (sequence)
    order by sequence`;
}

/**
 * Whether a delivery that has waited may still be sent as it was leased: to the same address, and signed by the same
 * secret. Otherwise its lease ends, so that it need not wait for that until it is leased again as its endpoint is now.
 */
export async function confirmLease(
  db: Database,
  { delivery_id: id, leases, url, secret }: Pick<LeasedDelivery, 'delivery_id' | 'leases' | 'url' | 'secret'>,
): Promise<boolean> {
  const isLeased = sql`delivery.id = ${id} and delivery.leases = ${leases} and delivery.state = 'pending'`;
  const { rows } = await sql`
    select from notification_deliveries delivery
    join notification_endpoints endpoint on endpoint.id = delivery.endpoint_id
    where ${isLeased} and delivery.due_at > clock_timestamp() and endpoint.status = 'enabled'
      and endpoint.url = ${url} and endpoint.secret = ${secret}`.execute(db);
  if (rows.length > 0) return true;
  await sql`update notification_deliveries delivery set due_at = clock_timestamp() where ${isLeased}`.execute(
    db,
  );
  return false;
}
