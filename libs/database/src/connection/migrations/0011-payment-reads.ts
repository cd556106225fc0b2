import { type Kysely, sql } from 'kysely';

/** When what is known of a subscription's payment was asked for, so that an older answer does not take its place. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table subscription_payments add column read_at timestamptz not null default now()`.execute(
    db,
  );
}
