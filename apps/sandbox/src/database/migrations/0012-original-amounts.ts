import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The original amount of an authorization is its payment's, which does not change once it is executed. */
export const originalAmounts: Migration = {
  async up(database: Kysely<unknown>) {
    await sql.raw('ALTER TABLE authorizations DROP COLUMN original_minor').execute(database);
  },
};
