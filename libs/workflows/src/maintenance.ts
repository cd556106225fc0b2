/** What Temporal Schedules start: names and activity interfaces that workflows and worker agree on. Plain types. */

export const webhookSweepWorkflowType = 'webhookSweepWorkflow';

/** Activities that mind no single payment. */
export interface MaintenanceActivities {
  /** Dispatches webhook events that were left behind. Rejects when some could not be dispatched yet. */
  sweepWebhooks(): Promise<void>;
}
