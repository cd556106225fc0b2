import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { type Database, isDatabaseAway, openDatabase } from '#database/connection';
import { useEngineDatabase } from './engine-database.js';
import { relayTo } from './relay-to.js';
import { until } from '../helpers/until.js';

const engine = useEngineDatabase();

const write = (db: Database) => sql`create table after_fail_over ()`.execute(db);

it('keeps no connection to a database that takes no writes, as during a fail-over', async () => {
  const { url } = engine;
  const name = sql.id(new URL(url).pathname.slice(1));
  const [before, db] = [openDatabase(url), openDatabase(url, { poolSize: 1 })];
  try {
    await before.connection().execute(async (writable) => {
      await sql`alter database ${name} set default_transaction_read_only = on`.execute(writable);
      await expect(write(db)).rejects.toSatisfy(isDatabaseAway);
      await sql`alter database ${name} reset default_transaction_read_only`.execute(writable);
    });
    await write(db);
    await sql`drop table after_fail_over`.execute(db);
  } finally {
    await Promise.all([before.destroy(), db.destroy()]);
  }
});

it('loses no place in the pool to a new connection that answers after its caller has given up', async () => {
  const relay = await relayTo(engine.url);
  const db = openDatabase(relay.url, { poolSize: 1, connectTimeoutMs: 1_000 });
  const read = () => sql`select 1`.execute(db);
  try {
    const late = await db.connection().execute(async (first) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(first);
      const waiting = read().catch((error: unknown) => error);
      relay.holdAnswers();
      await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(engine.db);
      const errorOf = async () => await sql`select 1`.execute(first).catch((error: unknown) => error);
      await until(
        errorOf,
        (error) => error instanceof Error && !('code' in error),
        'the loss of the connection',
      );
      return { waiting };
    });
    expect(await late.waiting).toSatisfy(isDatabaseAway);
    relay.answer();
    await read();
    await db.destroy();
  } finally {
    relay.close();
  }
});
