import type { Recurrence } from '../../../libs/runs/src/schedules.js';
import { webhookSweepWorkflowType } from '../../../libs/workflows/src/maintenance.js';
import type { WorkerConfig } from './worker-config.js';

/** Everything that the engine does by itself, again and again. */
export function recurrencesOf(config: WorkerConfig): Recurrence[] {
  return [
    {
      name: 'webhook-sweep',
      workflowType: webhookSweepWorkflowType,
      everyMs: config.WEBHOOK_SWEEP_INTERVAL_MS,
      summary: 'Dispatch webhook events that were left behind',
    },
  ];
}
