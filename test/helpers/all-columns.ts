import { sql } from 'kysely';
import type { Database } from '#database/connection';

/** Every value of every table as text, with the table that it stands in. */
export async function allColumns(db: Database): Promise<{ readonly table: string; readonly row: string }[]> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(db);
  const found = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await sql<{ row: string }>`
        select row_to_json(each)::text as row from ${sql.table(name)} as each`.execute(db);
      return rows.map(({ row }) => ({ table: name, row }));
    }),
  );
  return found.flat();
}
