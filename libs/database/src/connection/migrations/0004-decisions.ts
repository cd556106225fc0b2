import { type Kysely, sql } from 'kysely';

/** A repeat has the same request id and reference, so these are unique only among first attempts (docs/decisions/0009). */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table attempts drop constraint attempts_request_id_key`,
  `alter table attempts drop constraint attempts_reference_key`,
  // Two steps still cannot share an identity: the first attempts of both would have it.
  `alter table attempts add unique (request_id, attempt_number)`,
  `alter table attempts add unique (reference, attempt_number)`,
];
