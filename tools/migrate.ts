import { ConfigurationError, engineEnvironment, readEnvironment } from '#configuration';
import { migrateDatabase } from '#database/connection';
import { runCommand } from './command.js';
import { Failure } from './failure.js';

// Brings the engine's database to the newest schema. The step before the processes of a release start.
await runCommand(async () => {
  await migrateDatabase(databaseUrl()).catch((error: unknown) => {
    // A name or code only: a driver's message may quote the address with its password.
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
    throw new Failure(`The database could not be migrated (${code}).`);
  });
  process.stdout.write('The database has the newest schema.\n');
});

function databaseUrl(): string {
  try {
    return readEnvironment(engineEnvironment.pick({ DATABASE_URL: true }), process.env).DATABASE_URL;
  } catch (error) {
    throw error instanceof ConfigurationError ? new Failure(error.message) : error;
  }
}
