import type { Recurrence } from '#runs';
import {
  reconciliationWorkflowType,
  webhookRepairWorkflowType,
  webhookSweepWorkflowType,
} from '#workflows/contract';
import type { ReconciliationOptions } from './context.js';
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
    {
      name: 'reconciliation',
      workflowType: reconciliationWorkflowType,
      everyMs: config.RECONCILE_INTERVAL_MS,
      summary: "Hold our records against the provider's and against Temporal's",
    },
    {
      name: 'webhook-repair',
      workflowType: webhookRepairWorkflowType,
      everyMs: config.WEBHOOK_REPAIR_INTERVAL_MS,
      summary: 'See that the provider still delivers to this engine',
    },
  ];
}

/** An event that is younger than this is most likely being delivered. */
const longestGraceMs = 10_000;

export function reconciliationOptionsOf(config: WorkerConfig): ReconciliationOptions {
  const { RECONCILE_INTERVAL_MS, RECONCILE_OVERLAP_MS, RECONCILE_LOST_AFTER_MS } = config;
  return {
    applications: config.PROVIDER_APPLICATIONS.map(({ environment, application }) => ({
      environment,
      application,
    })),
    publicUrl: config.PUBLIC_URL,
    overlapMs: RECONCILE_OVERLAP_MS,
    graceMs: Math.min(longestGraceMs, RECONCILE_INTERVAL_MS / 2),
    lostAfterMs: RECONCILE_LOST_AFTER_MS,
  };
}
