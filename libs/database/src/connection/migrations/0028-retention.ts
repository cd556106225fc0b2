import { type Kysely, sql } from 'kysely';

/** Transmissions have no number by which a purge could find the oldest. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index webhook_transmissions_by_age on webhook_transmissions (environment, first_at)`.execute(
    db,
  );
}
