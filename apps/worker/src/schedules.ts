import type { Recurrence } from '#runs';
import {
  reconciliationRoundWorkflowType,
  webhookRepairWorkflowType,
  webhookSweepWorkflowType,
} from '#workflows/contract';
import type { ReconciliationOptions } from './steps/activities/context.js';
import type { WorkerConfig } from './worker-config.js';

/** The engine's Schedules. */
export function recurrencesOf(config: WorkerConfig): Recurrence[] {
  return [
    {
      name: 'webhook-sweep',
      workflowType: webhookSweepWorkflowType,
      everyMs: config.WEBHOOK_SWEEP_INTERVAL_MS,
      summary: 'Dispatch webhook events that were not dispatched yet',
    },
    {
      name: 'reconciliation',
      workflowType: reconciliationRoundWorkflowType,
      everyMs: config.RECONCILE_INTERVAL_MS,
      summary: "Compare our records with the provider's and with Temporal's runs",
    },
    {
      name: 'webhook-repair',
      workflowType: webhookRepairWorkflowType,
      everyMs: config.WEBHOOK_REPAIR_INTERVAL_MS,
      summary: 'Check and repair our webhook at the provider',
    },
  ];
}

/** A younger event is most likely still being delivered. */
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
