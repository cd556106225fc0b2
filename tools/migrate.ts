import { migrateDatabase } from '#database/connection';
import { runCommand } from './command.js';
import { Failure } from './failure.js';

// Brings the engine's database to the newest schema. The step before the processes of a release start.
await runCommand(async () => {
  const url = process.env['DATABASE_URL'];
  if (!url)
    throw new Failure('DATABASE_URL must name the database: postgres://user:password@host:port/name.');
  await migrateDatabase(url).catch((error: unknown) => {
    // A name or code only: a driver's message may quote the address with its password.
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
    throw new Failure(`The database could not be migrated (${code}).`);
  });
  process.stdout.write('The database has the newest schema.\n');
});
