import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { type Database, isDatabaseAway, openDatabase } from '#database/connection';
import { useEngineDatabase } from './engine-database.js';

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
