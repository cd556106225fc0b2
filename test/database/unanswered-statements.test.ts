import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { openDatabase } from '#database/connection';
import { createDatabase } from '../helpers/database.js';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';

const created = forAllTests(createDatabase);

/** The limit of a statement is that of the code, not the patience of tests. */
function open(share?: Parameters<typeof openDatabase>[1]) {
  const url = new URL(created.url);
  url.searchParams.delete('query_timeout');
  return openDatabase(url.href, { poolSize: 1, queryTimeoutMs: 2_000, ...share });
}

it.each([
  ['a worker', undefined],
  ['an API', { share: { callerNow: () => 'shop', most: 1 } }],
])('what %s writes after a transaction whose begin got no answer is committed', async (_process, share) => {
  const watcher = openDatabase(created.url, { poolSize: 1 });
  const db = open(share);
  try {
    await sql`create table if not exists written (name text)`.execute(watcher);
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
    const backend = rows[0]!.pid;
    process.kill(backend, 'SIGSTOP');
    const begun = db.transaction().execute(async () => undefined);
    await expect(begun).rejects.toThrow(/timeout/);
    process.kill(backend, 'SIGCONT');
    const name = share ? 'by the API' : 'by the worker';
    await sql`insert into written (name) values (${name})`.execute(db);
    const seen = await sql<{ name: string }>`select name from written where name = ${name}`.execute(watcher);
    expect(seen.rows).toEqual([{ name }]);
    await until(
      () => sql`select from pg_stat_activity where pid = ${backend}`.execute(watcher),
      (found) => found.rows.length === 0,
      'the end of the connection',
    );
  } finally {
    await Promise.all([db.destroy(), watcher.destroy()]);
  }
});
