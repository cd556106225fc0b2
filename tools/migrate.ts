import { ConfigurationError, migrationEnvironment, readEnvironment } from '#configuration';
import { grantRoles, migrateDatabase } from '#database/connection';
import { runCommand } from './command.js';
import { Failure } from './failure.js';

// Brings the engine's database to the newest schema. The step before the processes of a release start.
await runCommand(async () => {
  const { DATABASE_URL: url, API_ROLE: api, WORKER_ROLE: worker, PURGE_ROLE: purge } = variables();
  await showingCodes('migrated', migrateDatabase(url));
  process.stdout.write('The database has the newest schema.\n');
  if ((api ?? worker ?? purge) === undefined) return;
  await showingCodes('shared out among the roles', grantRoles(url, { api, worker, purge }));
  process.stdout.write('The roles have what their processes need of it.\n');
});

/** A name or code only: a driver's message may quote the address with its password. */
async function showingCodes(what: string, work: Promise<void>): Promise<void> {
  await work.catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
    throw new Failure(`The database could not be ${what} (${code}).`);
  });
}

function variables() {
  try {
    return readEnvironment(migrationEnvironment, process.env);
  } catch (error) {
    throw error instanceof ConfigurationError ? new Failure(error.message) : error;
  }
}
