import { sql } from 'kysely';
import type { Database } from '../connection/database.js';

/**
 * Makes pending deliveries of an endpoint due that wait for another try, because what they wait for has changed. Those
 * under way are left alone: their leases are not over.
 *
 * @param lane only those of this lane.
 */
export async function makeDue(db: Database, endpointId: string, lane?: string): Promise<void> {
  await sql`
    update notification_deliveries set due_at = clock_timestamp() where id in (
      select id from notification_deliveries waiting
      where endpoint_id = ${endpointId} and state = 'pending' and due_at > clock_timestamp()
        and ${lane === undefined ? sql`true` : sql`lane = ${lane}`}
        and not exists (select from notification_attempts attempt where attempt.delivery_id = waiting.id
          and attempt.number = waiting.leases and attempt.duration_ms is null)
      for update skip locked
    )`.execute(db);
}
