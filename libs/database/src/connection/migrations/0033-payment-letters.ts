import { type Kysely, sql } from 'kysely';

/** The shipping address and the note of a payment, encrypted; null once the provider has them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table payments add column sealed_letters bytea`.execute(db);
}
