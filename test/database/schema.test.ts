import { type Kysely, sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { migrate, migrateDatabase, openDatabase, requireSchema } from '#database/connection';
import { createDatabase, withUsualTimeouts } from '../helpers/database.js';
import { storePayment } from './engine-database.js';

describe('the schema', () => {
  it('is migrated once when eight processes start at the same moment, and stays so', async () => {
    const database = await createDatabase();
    const pools = Array.from({ length: 8 }, () => openDatabase(database.url, { poolSize: 2 }));
    await Promise.all(pools.map((db) => migrate(db)));
    await Promise.all(pools.map((db) => migrate(db)));
    await storePayment(pools[0]!);
    expect(await pools[7]!.selectFrom('payments').select('id').execute()).toHaveLength(1);
    await Promise.all(pools.map((db) => db.destroy()));
    await database.drop();
  });

  it('is migrated even if a migration takes longer than other statements may', async () => {
    const database = await createDatabase();
    const url = withUsualTimeouts(database.url).href;
    const longerThanStatements = {
      up: async (db: Kysely<unknown>) => void (await sql`select pg_sleep(16)`.execute(db)),
    };
    await migrateDatabase(url, { '0001-long': longerThanStatements });
    await migrateDatabase(url, { '0001-long': { up: () => Promise.reject(new Error('a second time')) } });
    await database.drop();
  });

  it('is too old in an empty database, which is named as such', async () => {
    const database = await createDatabase();
    const db = openDatabase(database.url, { poolSize: 1 });
    await expect(requireSchema(db)).rejects.toThrow('lacks the migration 0001-payments and ');
    await db.destroy();
    await database.drop();
  });
});
