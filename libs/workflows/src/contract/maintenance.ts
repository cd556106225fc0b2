/** What Temporal Schedules start: names and activity interfaces that workflows and worker agree on. Plain types. */

export const webhookSweepWorkflowType = 'webhookSweepWorkflow';
export const webhookRepairWorkflowType = 'webhookRepairWorkflow';

export const reconciliationWorkflowType = 'reconciliationWorkflow';

/** A worker that dies in the midst of an activity is noticed after this long, and not after all that it may take. */
export const signOfLifeWithin = '30 seconds';

/** An application of an environment. */
export interface ReconciledApplication {
  readonly environment: string;
  readonly application: string;
}

/** Activities that mind no single payment. */
export interface MaintenanceActivities {
  /** Dispatches webhook events that were left behind. Rejects when some could not be dispatched yet. */
  sweepWebhooks(): Promise<void>;
  listApplications(): Promise<ReconciledApplication[]>;
  /** Searches the provider's past events for those that never came. */
  reconcileEvents(application: ReconciledApplication): Promise<void>;
  /** Finds payments whose run is gone, and commands that no run was told of. */
  reconcileRuns(application: ReconciledApplication): Promise<void>;
  /** Compares payments, plans, subscriptions and payouts with what the provider shows of them; asks for unknown amounts. */
  reconcilePayments(application: ReconciledApplication): Promise<void>;
  /** Registers and repairs the engine's webhook of each application. Rejects when a provider could not be asked. */
  repairWebhooks(): Promise<void>;
}
