import { type Kysely, sql } from 'kysely';

/**
 * Each write of a subject asks for its parked events, and mostly there are none. Without this small index the planner
 * reads the whole table for it until it knows how large the table has become.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index webhook_events_parked_by_owner on webhook_events (environment, application)
    where status = 'parked'`.execute(db);
}
