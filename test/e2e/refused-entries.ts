import { sql } from 'kysely';
import type { Database } from '#database/connection';

interface Refusals {
  readonly count: () => Promise<number>;
  readonly end: () => Promise<void>;
}

/** As a database does that fails between two statements; a sequence counts on although its transaction is undone. */
export async function refuseEntries(db: Database, detail: string): Promise<Refusals> {
  const run = async (statement: string): Promise<void> => {
    await sql.raw(statement).execute(db);
  };
  await run('create sequence refusals');
  await run(`create function refuse() returns trigger language plpgsql as
    $$ begin perform nextval('refusals'); raise exception 'refused'; end $$`);
  await run(`create trigger refuse before insert on timeline
    for each row when (new.detail like '${detail}') execute function refuse()`);
  return {
    count: async () => {
      const { rows } = await sql<{ count: number }>`
        select case when is_called then last_value else 0 end as count from refusals`.execute(db);
      return rows[0]?.count ?? 0;
    },
    end: () => run('drop function refuse cascade'),
  };
}
