import { ConfigurationError, purgeEnvironment, readEnvironment } from '#configuration';
import { openDatabase } from '#database/connection';
import { purge } from '#database/retention';
import { runCommand } from './command.js';
import { Failure } from './failure.js';
import { variablesOfWorker } from './variables-of-worker.js';

// Deletes what RETENTION_DAYS does not keep, in small steps beside API and workers.
await runCommand(async (signal) => {
  const config = await purgeConfig();
  const db = openDatabase(config.DATABASE_URL, { poolSize: 1 });
  const beganAt = performance.now();
  try {
    const deleted = await purge(db, config.RETENTION_DAYS, {
      batch: config.PURGE_BATCH,
      pauseMs: config.PURGE_PAUSE_MS,
      signal,
    });
    const seconds = Math.round((performance.now() - beganAt) / 100) / 10;
    process.stdout.write(`${JSON.stringify({ ...deleted, seconds })}\n`);
  } finally {
    await db.destroy();
  }
});

async function purgeConfig() {
  try {
    return readEnvironment(purgeEnvironment, await variablesOfWorker());
  } catch (error) {
    throw error instanceof ConfigurationError ? new Failure(error.message) : error;
  }
}
