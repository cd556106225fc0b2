import { proxyActivities } from '@temporalio/workflow';
import { type MaintenanceActivities, signOfLifeWithin } from './contract/maintenance.js';

const { repairWebhooks } = proxyActivities<MaintenanceActivities>({
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: signOfLifeWithin,
  // The Schedule starts the next repair anyway.
  retry: { maximumAttempts: 3 },
});

/** Started by a Schedule: checks and repairs our webhooks at the provider. */
export async function webhookRepairWorkflow(): Promise<void> {
  await repairWebhooks();
}
