import { type Kysely, sql } from 'kysely';

/** A repeat is the same request again, so what names it is unique among first tries only (docs/decisions/0009). */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table attempts drop constraint attempts_request_id_key`,
  `alter table attempts drop constraint attempts_reference_key`,
  // Two steps can still not share an identity: each of them would have to begin with it.
  `alter table attempts add unique (request_id, attempt_number)`,
  `alter table attempts add unique (reference, attempt_number)`,
];
