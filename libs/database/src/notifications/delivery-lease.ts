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

/**
 * Leases deliveries that are due, a bounded number for each endpoint, and records the begin of each attempt. Only the
 * first pending delivery of a lane is taken, whoever has leased it: the others follow when it has ended.
 */
export async function leaseDeliveries(
  db: Database,
  underWay: UnderWay,
  { mostPerEndpoint, leaseMs }: { readonly mostPerEndpoint: number; readonly leaseMs: number },
): Promise<LeasedDelivery[]> {
  const busy = JSON.stringify(Object.fromEntries(underWay));
  return await runPrepared(db, leasing(mostPerEndpoint), [busy, mostPerEndpoint, leaseMs]);
}

const leasings = new Map<number, Prepared<LeasedDelivery>>();

function leasing(mostPerEndpoint: number): Prepared<LeasedDelivery> {
  const known =
    leasings.get(mostPerEndpoint) ??
    prepared(`lease-deliveries-${mostPerEndpoint}`, () => leasingOf(mostPerEndpoint));
  leasings.set(mostPerEndpoint, known);
  return known;
}

/**
 * The deliveries under way are given as JSON: of an array the planner sees the length, and then plans again each time.
 * Places: those deliveries, how many an endpoint may have, and for how long they are leased.
 */
function leasingOf(mostPerEndpoint: number) {
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
        limit ${sql.lit(mostPerEndpoint)}
        for update skip locked
      ) delivery
      where endpoint.status = 'enabled'
        and (endpoint.resting_until is null or endpoint.resting_until <= clock_timestamp())
    ), due as (
      select * from found where place <= ${parameter(2)}::integer
    ), leased as (
      update notification_deliveries delivery set leases = delivery.leases + 1, tries = delivery.tries + 1,
        due_at = clock_timestamp() + ${parameter(3)}::float8 * interval '1 millisecond'
      from due where delivery.id = due.id
      returning delivery.id as delivery_id, delivery.leases, delivery.tries, delivery.endpoint_id,
        delivery.lane, delivery.sequence, due.url, due.secret, due.earlier_secrets
    ), attempt as (
      insert into notification_attempts (delivery_id, number) select delivery_id, leases from leased
    )
    select leased.*, notification.id, notification.environment, notification.application, notification.type,
      notification.subject_id, notification.item_id, notification.version, notification.state, notification.payload,
      notification.created_at
    from leased join notifications notification using (sequence)
    order by sequence`;
}

/** The result of an attempt. */
export interface AttemptResult {
  readonly durationMs: number;
  readonly status?: number;
  /** Why it failed. */
  readonly reason?: string;
  readonly state: 'delivered' | 'failed' | 'pending';
  /** If it stays pending: when it is tried again. */
  readonly dueInMs?: number;
}

export interface EndpointRules {
  /** An endpoint that has failed for so long is disabled. */
  readonly disableAfterMs: number;
  /** How long an endpoint rests after so many failures in a row. */
  readonly restMs: (failures: number) => number;
  /** It said that it is gone. */
  readonly isGone: boolean;
}

/**
 * Records the result of an attempt. A process whose lease was taken over writes nothing but the attempt. Those that
 * follow in the lane of a failed delivery are not due before it, so that no process reads what it cannot deliver yet.
 *
 * @returns true if the endpoint was disabled.
 */
export async function recordAttempt(
  db: Database,
  delivery: Pick<LeasedDelivery, 'delivery_id' | 'leases' | 'endpoint_id' | 'lane' | 'sequence'>,
  { durationMs, state, dueInMs = 0, ...result }: AttemptResult,
  rules: EndpointRules,
): Promise<boolean> {
  const { delivery_id: id, leases, endpoint_id: endpointId, lane, sequence } = delivery;
  const { status = null, reason = null } = result;
  if (state === 'delivered') {
    await runPrepared(db, recordingSuccess, [id, leases, endpointId, durationMs, status]);
    return false;
  }
  const dueAt = sql`now() + ${dueInMs}::float8 * interval '1 millisecond'`;
  await sql`
    with attempt as (
      update notification_attempts set duration_ms = ${durationMs}, status = ${status}, reason = ${reason}
      where delivery_id = ${id} and number = ${leases}
    ), next as (
      update notification_deliveries set due_at = ${dueAt}
      where ${state} = 'pending' and endpoint_id = ${endpointId} and lane = ${lane} and state = 'pending'
        and sequence > ${sequence}
        and exists (select from notification_deliveries held
          where held.id = ${id} and held.leases = ${leases} and held.state = 'pending')
    )
    update notification_deliveries set state = ${state}, last_status = ${status}, last_reason = ${reason},
      due_at = ${dueAt}, finished_at = case when ${state} = 'pending' then null else clock_timestamp() end
    where id = ${id} and leases = ${leases} and state = 'pending'`.execute(db);
  return await noteFailure(db, endpointId, reason ?? '', rules);
}

/** Almost every attempt ends so. Of the endpoint it writes nothing while all is well. */
const recordingSuccess = prepared('record-delivery', () => {
  const [id, leases] = [sql`${parameter(1)}::bigint`, sql`${parameter(2)}::integer`];
  const status = sql`${parameter(5)}::integer`;
  return sql`
    with attempt as (
      update notification_attempts set duration_ms = ${parameter(4)}::integer, status = ${status}, reason = null
      where delivery_id = ${id} and number = ${leases}
    ), endpoint as (
      update notification_endpoints set failures = 0, failing_since = null, resting_until = null
      where id = ${parameter(3)}::text and failures > 0
    )
    update notification_deliveries set state = 'delivered', last_status = ${status}, last_reason = null,
      due_at = now(), finished_at = clock_timestamp()
    where id = ${id} and leases = ${leases} and state = 'pending'`;
});

async function noteFailure(
  db: Database,
  id: string,
  reason: string,
  { disableAfterMs, restMs, isGone }: EndpointRules,
): Promise<boolean> {
  const { rows } = await sql<{ failures: number; failing_for_ms: number }>`
    update notification_endpoints set failures = failures + 1,
      failing_since = coalesce(failing_since, clock_timestamp())
    where id = ${id}
    returning failures, extract(epoch from clock_timestamp() - failing_since)::float8 * 1000 as failing_for_ms`.execute(
    db,
  );
  const [now] = rows;
  if (!now) return false;
  const isDead = isGone || now.failing_for_ms >= disableAfterMs;
  const why = isGone ? 'It answered 410 Gone.' : `It failed for too long. The last reason: ${reason}`;
  const { numAffectedRows = 0n } = isDead
    ? await sql`update notification_endpoints set status = 'disabled', status_reason = ${why},
        updated_at = clock_timestamp() where id = ${id} and status = 'enabled'`.execute(db)
    : await sql`update notification_endpoints
        set resting_until = clock_timestamp() + ${restMs(now.failures)}::float8 * interval '1 millisecond'
        where id = ${id}`.execute(db);
  return isDead && numAffectedRows > 0n;
}
