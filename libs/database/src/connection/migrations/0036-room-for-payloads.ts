import { type Kysely, sql } from 'kysely';

/**
 * Half of each page is left for the payloads, which follow the rows a moment later. A payload that finds room in the page
 * of its row changes none of the table's indexes. Only for pages to come: no row is moved.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table notifications set (fillfactor = 50)`.execute(db);
}
