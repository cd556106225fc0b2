import { sql } from 'kysely';
import type { Database } from '../connection/database.js';

/** The tries that need no wait. After them each waits twice as long as the one before, up to a minute. */
const freeTries = sql.lit(5);
const forgottenAfter = sql.lit('15 minutes');

const wait = sql`case when failures < ${freeTries} then interval '0'
  else least(60, 2 ^ least(failures - ${freeTries}, 6)) * interval '1 second' end`;

/**
 * Counts a try before its password is looked at, so that concurrent tries are counted too.
 *
 * @param counter of a group of names, or of a browser that has signed in before.
 * @returns the seconds to wait; 0 if the password may be looked at.
 */
export async function beginSignIn(db: Database, counter: string): Promise<number> {
  const { rows } = await sql`
    insert into console_sign_in_failures as known (name_group, failures, last_at)
    values (${counter}, 1, clock_timestamp())
    on conflict (name_group) do update set last_at = clock_timestamp(),
      failures = case when known.last_at < clock_timestamp() - ${forgottenAfter}::interval then 1
        else known.failures + 1 end
    where known.last_at + (select ${wait} from (select known.failures) as counted) <= clock_timestamp()
    returning failures`.execute(db);
  if (rows.length > 0) return 0;
  const { rows: left } = await sql<{ seconds: number }>`
    select ceil(extract(epoch from last_at + ${wait} - clock_timestamp()))::int as seconds
    from console_sign_in_failures where name_group = ${counter}`.execute(db);
  return Math.max(1, left[0]?.seconds ?? 1);
}

export async function forgetFailedSignIns(db: Database, counter: string): Promise<void> {
  await sql`delete from console_sign_in_failures where name_group = ${counter}`.execute(db);
}
