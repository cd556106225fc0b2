import { proxyActivities } from '@temporalio/workflow';
import { type MaintenanceActivities, signOfLifeWithin } from './contract/maintenance.js';

const { sweepWebhooks } = proxyActivities<MaintenanceActivities>({
  startToCloseTimeout: '2 minutes',
  heartbeatTimeout: signOfLifeWithin,
  // The Schedule starts the next sweep anyway.
  retry: { maximumAttempts: 3 },
});

/** Started by a Schedule: dispatches the webhook events that the immediate dispatch left behind. */
export async function webhookSweepWorkflow(): Promise<void> {
  await sweepWebhooks();
}
