import { fileURLToPath } from 'node:url';
import { encryptingDataConverter } from '#payload-codec';
import { runRivalWorker } from './contest/rival-worker.js';
import { openNaiveActivities } from './naive/naive-activities.js';
import { activityRequestId } from './naive/activity-request-id.js';
import { updatesActivities, updatesTaskQueue } from './updates/updates-activities.js';

await runRivalWorker(async ({ DATABASE_URL, CODEC_KEYS }, provider) => ({
  taskQueue: updatesTaskQueue,
  workflowsPath: fileURLToPath(new URL('floor/floor-payment.workflow.js', import.meta.url)),
  activities: updatesActivities(await openNaiveActivities(DATABASE_URL, provider, activityRequestId)),
  dataConverter: encryptingDataConverter(CODEC_KEYS),
}));
