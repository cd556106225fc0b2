import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../connection/database.js';
import type { NotificationEndpointRow } from '../schema/notification-tables.js';
import type { Owner } from '../schema/owner.js';
import { ownersTable } from '../tables/owners-table.js';

export const shownEndpointStates = ['enabled', 'disabled', 'failing'] as const;
export type ShownEndpointState = (typeof shownEndpointStates)[number];

/** An endpoint without its secrets, and what waits for it. */
export interface ShownEndpoint extends Pick<
  NotificationEndpointRow,
  | 'id'
  | 'environment'
  | 'application'
  | 'url'
  | 'description'
  | 'event_types'
  | 'status'
  | 'status_reason'
  | 'failing_since'
  | 'resting_until'
  | 'created_at'
  | 'updated_at'
> {
  /** Of each at most `mostCountedDeliveries` are counted. */
  readonly pending: number;
  readonly failed: number;
  /** When the oldest notification was written that it has not got. */
  readonly oldest_pending: Date | null;
}

/** More than that nobody counts. */
export const mostCountedDeliveries = 1_000;

/** Endpoints that take nothing: they are disabled, or every attempt fails. */
export const isFailing = sql<boolean>`(status = 'disabled' or (status = 'enabled' and failing_since is not null))`;

const ofState: Readonly<Record<ShownEndpointState, RawBuilder<boolean>>> = {
  enabled: sql`status = 'enabled'`,
  disabled: sql`status = 'disabled'`,
  failing: isFailing,
};

/** The endpoints of some applications, the oldest first: each application has few. */
export async function listShownEndpoints(
  db: Database,
  owners: readonly Owner[],
  state?: ShownEndpointState,
): Promise<ShownEndpoint[]> {
  return await shown(db, owners, sql`status <> 'deleted' and ${state ? ofState[state] : sql`true`}`);
}

/** Also one that was deleted. */
export async function findShownEndpoint(
  db: Database,
  owners: readonly Owner[],
  id: string,
): Promise<ShownEndpoint | undefined> {
  const [endpoint] = await shown(db, owners, sql`endpoint.id = ${id}`);
  return endpoint;
}

async function shown(
  db: Database,
  owners: readonly Owner[],
  condition: RawBuilder<unknown>,
): Promise<ShownEndpoint[]> {
  const { rows } = await sql<ShownEndpoint>`
    with owners as (${ownersTable(owners)})
    select endpoint.id, environment, application, url, description, event_types, status, status_reason, failing_since,
      resting_until, endpoint.created_at, endpoint.updated_at, ${count('pending')} as pending, ${count('failed')} as failed,
      (select created_at from notifications where sequence = (select min(sequence) from notification_deliveries
        where endpoint_id = endpoint.id and state = 'pending')) as oldest_pending
    from owners join notification_endpoints endpoint using (environment, application)
    where ${condition} order by endpoint.created_at, endpoint.id`.execute(db);
  return rows;
}

/** Of an endpoint in one state, up to a bound. */
function count(state: 'pending' | 'failed'): RawBuilder<unknown> {
  return sql`(select count(*) from (select from notification_deliveries
    where endpoint_id = endpoint.id and state = ${sql.lit(state)} limit ${mostCountedDeliveries + 1}) as bounded)`;
}
