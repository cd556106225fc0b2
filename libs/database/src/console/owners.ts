import { sql } from 'kysely';
import type { Database } from '../connection/database.js';
import type { Owner } from '../schema/owner.js';
import { tableOf } from '../tables/subject-tables.js';

/** The application of a subject; undefined without such a subject. */
export async function findOwner(db: Database, id: string): Promise<Owner | undefined> {
  const { rows } = await sql<Owner>`
    select environment, application from ${sql.table(tableOf({ id }))} where id = ${id}`.execute(db);
  return rows[0];
}
