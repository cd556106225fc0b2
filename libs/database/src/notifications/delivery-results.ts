import { sql } from 'kysely';
import type { Database } from '../connection/database.js';
import { parameter, prepared, runPrepared } from '../connection/prepared.js';
import type { LeasedDelivery } from './delivery-lease.js';
import { makeDue } from './waiting-deliveries.js';

/** An attempt that its receiver took. */
export interface DeliveredAttempt {
  readonly delivery: Pick<
    LeasedDelivery,
    'delivery_id' | 'leases' | 'tries' | 'endpoint_id' | 'url' | 'lane'
  >;
  readonly durationMs: number;
  readonly status: number | null;
}

/**
 * Records attempts that succeeded, in one statement and one commit. Almost every attempt ends so. A process whose lease
 * was taken over writes nothing but the attempt. Of an endpoint nothing is written while all is well, or if it has another
 * address by now: that one has not succeeded.
 */
export async function recordDelivered(db: Database, attempts: readonly DeliveredAttempt[]): Promise<void> {
  const results = attempts.map(({ delivery, durationMs, status }) => ({
    id: delivery.delivery_id,
    leases: delivery.leases,
    endpoint_id: delivery.endpoint_id,
    url: delivery.url,
    duration_ms: durationMs,
    status,
  }));
  await runPrepared(db, recordingDelivered, [JSON.stringify(results)]);
  for (const { delivery } of attempts) {
    // It was sent again on request: those behind it wait for its next usual try.
    if (delivery.leases > delivery.tries) await makeDue(db, delivery.endpoint_id, delivery.lane);
  }
}

/**
 * As JSON, and as an array of it: the planner expects ten results, however many come. So it takes the indexes, and plans
 * once. Of a list of records it expects a hundred, and reads the whole table.
 */
const recordingDelivered = prepared(
  'record-deliveries',
  () => sql`
    with result as materialized (
      select (each ->> 'id')::bigint as id, (each ->> 'leases')::integer as leases, each ->> 'endpoint_id' as endpoint_id,
        each ->> 'url' as url, (each ->> 'duration_ms')::integer as duration_ms, (each ->> 'status')::integer as status
      from unnest(array(select jsonb_array_elements(${parameter(1)}::jsonb))) as each
    ), attempt as (
      update notification_attempts attempt
      set duration_ms = result.duration_ms, status = result.status, reason = null
      from result where attempt.delivery_id = result.id and attempt.number = result.leases
    ), failing as (
      -- In the order of their ids: two processes that record results of the same endpoints could deadlock.
      select id from notification_endpoints
      where (id, url) in (select endpoint_id, url from result)
        and (failures > 0 or failing_since is not null) order by id for update
    ), endpoint as (
      update notification_endpoints endpoint set failures = 0, failing_since = null, resting_until = null
      from failing where endpoint.id = failing.id
    )
    update notification_deliveries delivery set state = 'delivered', last_status = result.status,
      last_reason = null, due_at = now(), finished_at = clock_timestamp()
    from result
    where delivery.id = result.id and delivery.leases = result.leases and delivery.state = 'pending'`,
);

/** Why an attempt failed, and what becomes of its delivery. */
export interface FailedAttempt {
  readonly durationMs: number;
  readonly status?: number;
  readonly reason: string;
  readonly state: 'failed' | 'pending';
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
  /** Nothing was sent. It is shown as failing, so that somebody sees it, and is not disabled for what is not its fault. */
  readonly isUnsent?: boolean;
}

/**
 * Records an attempt that failed. A process whose lease was taken over writes nothing but the attempt. Those that
 * follow in the lane of the delivery are not due before it, so that no process reads what it cannot deliver yet.
 *
 * @returns true if the endpoint was disabled.
 */
export async function recordFailure(
  db: Database,
  delivery: Pick<LeasedDelivery, 'delivery_id' | 'leases' | 'endpoint_id' | 'url' | 'lane' | 'sequence'>,
  { durationMs, status, reason, state, dueInMs = 0 }: FailedAttempt,
  rules: EndpointRules,
): Promise<boolean> {
  const { delivery_id: id, leases, endpoint_id: endpointId, lane, sequence } = delivery;
  const dueAt = sql`now() + ${dueInMs}::float8 * interval '1 millisecond'`;
  const { rows } = await sql`
    with attempt as (
      update notification_attempts set duration_ms = ${durationMs}, status = ${status ?? null}, reason = ${reason}
      where delivery_id = ${id} and number = ${leases}
    ), next as (
      update notification_deliveries set due_at = ${dueAt}
      where ${state} = 'pending' and endpoint_id = ${endpointId} and lane = ${lane} and state = 'pending'
        and sequence > ${sequence}
        and exists (select from notification_deliveries held
          where held.id = ${id} and held.leases = ${leases} and held.state = 'pending')
    )
    update notification_deliveries set state = ${state}, last_status = ${status ?? null}, last_reason = ${reason},
      due_at = ${dueAt}, finished_at = case when ${state} = 'pending' then null else clock_timestamp() end
    where id = ${id} and leases = ${leases} and state = 'pending' returning id`.execute(db);
  return rows.length > 0 && (await noteFailure(db, delivery, reason, rules));
}

/**
 * Attempts that were under way when the endpoint's rest began make it no longer. An endpoint that was changed or enabled
 * after the attempt began may have another address: that one has not failed.
 */
async function noteFailure(
  db: Database,
  {
    delivery_id: deliveryId,
    leases,
    endpoint_id: id,
    url,
    lane,
  }: Pick<LeasedDelivery, 'delivery_id' | 'leases' | 'endpoint_id' | 'url' | 'lane'>,
  reason: string,
  { disableAfterMs, restMs, isGone, isUnsent = false }: EndpointRules,
): Promise<boolean> {
  const isAsAttempted = sql`id = ${id} and url = ${url} and updated_at <= (select begun_at from notification_attempts
    where delivery_id = ${deliveryId} and number = ${leases})`;
  const isResting = sql`coalesce(resting_until > clock_timestamp(), false)`;
  const { rows } = await sql<{ failures: number; failing_for_ms: number }>`
    update notification_endpoints set failures = failures + case when ${isUnsent} or ${isResting} then 0 else 1 end,
      -- The first failure that was sent: what could not be sent before does not count.
      failing_since = case when failures = 0 and not ${isUnsent} then clock_timestamp()
        else coalesce(failing_since, clock_timestamp()) end
    where ${isAsAttempted}
    returning failures, extract(epoch from clock_timestamp() - failing_since)::float8 * 1000 as failing_for_ms`.execute(
    db,
  );
  const [now] = rows;
  if (!now) {
    await makeDue(db, id, lane);
    return false;
  }
  const isDead = isGone || (!isUnsent && now.failing_for_ms >= disableAfterMs);
  const why = isGone ? 'It answered 410 Gone.' : `It failed for too long. The last reason: ${reason}`;
  const { numAffectedRows = 0n } = isDead
    ? await sql`update notification_endpoints set status = 'disabled', status_reason = ${why},
        updated_at = clock_timestamp() where ${isAsAttempted} and status = 'enabled'`.execute(db)
    : await sql`update notification_endpoints
        set resting_until = clock_timestamp() + ${restMs(now.failures)}::float8 * interval '1 millisecond'
        where ${isAsAttempted} and not ${isResting}`.execute(db);
  return isDead && numAffectedRows > 0n;
}
