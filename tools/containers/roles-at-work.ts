import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../failure.js';

/** Who is connected to the engine's database, and who owns its tables. */
const question = `
  select 'connected as ' || usename from pg_stat_activity
   where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
  union select 'owned by ' || tableowner from pg_tables where schemaname = 'public' order by 1`;
const leastRights = ['connected as engine_api', 'connected as engine_worker', 'owned by engine_owner'];
const withinMs = 60_000;

/**
 * Waits until API and worker are connected, each by its own role.
 * @param compose runs a command of Compose. @throws Failure when they work by others, or own the schema.
 */
export async function rolesAtWork(
  compose: (...args: readonly string[]) => Promise<string>,
): Promise<readonly string[]> {
  const ask = `PGPASSWORD="$POSTGRES_PASSWORD" psql -h 127.0.0.1 -U engine -d engine -Atc "$0"`;
  const until = Date.now() + withinMs;
  for (;;) {
    const answer = await compose('exec', '-T', 'engine-db', 'sh', '-c', ask, question);
    const roles = answer.split('\n').filter((line) => /^(connected|owned) /.test(line));
    if (roles.join() === leastRights.join()) return roles;
    if (Date.now() > until) throw new Failure(`The engine's database is ${roles.join(', ')}.`);
    // A worker closes connections that it does not need.
    await sleep(1_000);
  }
}
