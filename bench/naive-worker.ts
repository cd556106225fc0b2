import { fileURLToPath } from 'node:url';
import { ChangeAnnouncer, migrate, openDatabase } from '#database/connection';
import { encryptingDataConverter } from '#payload-codec';
import { runRivalWorker } from './contest/rival-worker.js';
import { naiveTaskQueue, type NaiveActivities } from './naive/naive-contract.js';
import { providerCalls } from './naive/provider-calls.js';
import { writeRows } from './naive/write-rows.js';

await runRivalWorker(async ({ DATABASE_URL, CODEC_KEYS }, provider) => {
  const db = openDatabase(DATABASE_URL, { poolSize: 20 });
  await migrate(db);
  const changes = new ChangeAnnouncer(DATABASE_URL);
  const activities: NaiveActivities = {
    ...providerCalls(provider),
    writeRows: (order, change) => writeRows(db, changes, order, change),
  };
  return {
    taskQueue: naiveTaskQueue,
    workflowsPath: fileURLToPath(new URL('naive/naive-payment.workflow.js', import.meta.url)),
    activities,
    dataConverter: encryptingDataConverter(CODEC_KEYS),
  };
});
