import { fileURLToPath } from 'node:url';
import { encryptingDataConverter } from '#payload-codec';
import { runRivalWorker } from './contest/rival-worker.js';
import { activityRequestId } from './naive/activity-request-id.js';
import { openNaiveActivities } from './naive/naive-activities.js';
import { naiveTaskQueue } from './naive/naive-contract.js';

await runRivalWorker(async ({ DATABASE_URL, CODEC_KEYS }, provider) => ({
  taskQueue: naiveTaskQueue,
  workflowsPath: fileURLToPath(new URL('naive/naive-payment.workflow.js', import.meta.url)),
  activities: { ...(await openNaiveActivities(DATABASE_URL, provider, activityRequestId)) },
  dataConverter: encryptingDataConverter(CODEC_KEYS),
}));
