import { type Kysely, sql } from 'kysely';

/** When the read of a subscription's payment began, so that an older read does not replace it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table subscription_payments add column read_at timestamptz not null default now()`.execute(
    db,
  );
}
