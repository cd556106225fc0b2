import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openDatabase } from '#database/connection';
import { createDatabase } from '../helpers/database.js';
import { ApiFixture } from './api-fixture.js';

test('an API starts on a database whose migration takes longer than the statement timeout', async () => {
  const database = await createDatabase();
  const db = openDatabase(database.url, { poolSize: 1 });
  // The table of payments, and whatever comes before it in its migration, costs more than five seconds at each try.
  await sql`
    create function nap() returns event_trigger language plpgsql as $$ begin
      if to_regclass('kysely_migration_lock') is not null and to_regclass('payments') is null then
        perform pg_sleep(7);
      end if;
    end $$`.execute(db);
  await sql`create event trigger nap on ddl_command_start when tag in ('CREATE TABLE') execute function nap()`.execute(
    db,
  );
  const api = await ApiFixture.start({ databaseUrl: database.url });
  expect((await api.call('GET', '/v1/payments')).status).toBe(200);
  await api.close();
  await db.destroy();
  await database.drop();
});
