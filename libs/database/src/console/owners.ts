import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../connection/database.js';
import type { Owner } from '../schema/owner.js';
import { tableOf } from '../tables/subject-tables.js';

/** The applications as a table, to join with the indexes that begin with environment and application. */
export function ownersTable(owners: readonly Owner[]): RawBuilder<unknown> {
  return sql`select * from unnest(${owners.map(({ environment }) => environment)}::text[],
    ${owners.map(({ application }) => application)}::text[]) as owner (environment, application)`;
}

/** The application of a subject; undefined without such a subject. */
export async function findOwner(db: Database, id: string): Promise<Owner | undefined> {
  const { rows } = await sql<Owner>`
    select environment, application from ${sql.table(tableOf({ id }))} where id = ${id}`.execute(db);
  return rows[0];
}
