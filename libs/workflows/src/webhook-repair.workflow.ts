import { proxyActivities } from '@temporalio/workflow';
import { type MaintenanceActivities, signOfLifeWithin } from './contract/maintenance.js';

const { repairWebhooks } = proxyActivities<MaintenanceActivities>({
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: signOfLifeWithin,
  // The schedule starts the next repair anyway.
  retry: { maximumAttempts: 3 },
});

/** Started by a Schedule: makes sure that the provider still delivers to us, whatever became of our webhook there. */
export async function webhookRepairWorkflow(): Promise<void> {
  await repairWebhooks();
}
