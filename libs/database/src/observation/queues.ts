import { sql } from 'kysely';
import { ownersTable } from '../tables/owners-table.js';
import { areHeld } from '../tables/held-payments.js';
import type { Database } from '../connection/database.js';
import type { Owner } from '../schema/owner.js';

/** What waits for a process of ours, by application. Seconds are by the database's clock. */
export interface Queues extends Owner {
  /** Journaled webhook events that no run has got. */
  readonly inbox: number;
  readonly inbox_seconds: number;
  /** Since the oldest command was accepted that no run has taken. */
  readonly command_seconds: number;
  readonly notifications: number;
  /** For how long the first delivery is overdue. */
  readonly notification_seconds: number;
  /** Until the first capture window ends; less than 0 if it has. Null without a hold. */
  readonly hold_seconds: number | null;
  /** Of the last round of reconciliation: open subjects whose runs Temporal did not know. */
  readonly runs_unknown: number;
}

export async function readQueues(db: Database, owners: readonly Owner[]): Promise<Queues[]> {
  const isOwners = sql`environment = owners.environment and application = owners.application`;
  const { rows } = await sql<Queues>`
    with owners as (${ownersTable(owners)})
    select owners.*, inbox.*, accepted.*, outbox.*, hold.*, coalesce(reconciliations.runs_unknown, 0) as runs_unknown
    from owners
    left join reconciliations using (environment, application)
    cross join lateral (select count(*) as inbox, ${since('received_at')} as inbox_seconds from webhook_events
      where ${isOwners} and due_at is not null and status in ('received', 'dispatching')) as inbox
    cross join lateral (select ${since('created_at')} as command_seconds from commands
      where ${isOwners} and status = 'accepted') as accepted
    cross join lateral (
      select count(*) as notifications, ${since('delivery.due_at')} as notification_seconds
      from notification_endpoints endpoint
      join notification_deliveries delivery on delivery.endpoint_id = endpoint.id and delivery.state = 'pending'
      where ${isOwners} and endpoint.status = 'enabled') as outbox
    left join lateral (
      select hold_until / 1000.0::float8 - extract(epoch from clock_timestamp())::float8 as hold_seconds from payments
      where ${isOwners} and ${areHeld} and hold_until is not null order by hold_until limit 1) as hold on true`.execute(
    db,
  );
  return rows;
}

/** Seconds since the earliest; 0 without one, or if it is to come. */
function since(instant: string) {
  return sql`coalesce(greatest(extract(epoch from clock_timestamp() - min(${sql.ref(instant)})), 0), 0)::float8`;
}
