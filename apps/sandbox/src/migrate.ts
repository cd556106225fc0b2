import { readConfiguration } from './configuration.js';
import { migrateSandbox } from './database/migrate.js';

try {
  await migrateSandbox(readConfiguration(process.env).databaseUrl);
  process.stdout.write('The database of the payments service has the newest schema.\n');
} catch (error) {
  process.stderr.write(`The database was not migrated. ${error instanceof Error ? error.message : ''}\n`);
  process.exit(1);
}
