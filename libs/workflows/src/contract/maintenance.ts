/**
 * The contract of the scheduled workflows: names and activity interfaces shared by workflows and worker. Plain types.
 */

export const webhookSweepWorkflowType = 'webhookSweepWorkflow';
export const webhookRepairWorkflowType = 'webhookRepairWorkflow';

export const reconciliationRoundWorkflowType = 'reconciliationRoundWorkflow';
export const reconciliationWorkflowType = 'reconciliationWorkflow';

/**
 * The heartbeat timeout: a worker that dies during an activity is noticed after this time, not after the activity's
 * whole limit.
 */
export const signOfLifeWithin = '30 seconds';

/** An application of an environment. */
export interface ReconciledApplication {
  readonly environment: string;
  readonly application: string;
}

/** The id of an application's reconciliation. Two engines can share a namespace. */
export function reconciliationIdOf(
  taskQueue: string,
  { environment, application }: ReconciledApplication,
): string {
  return `reconciliation/${environment}/${application}/${taskQueue}`;
}

/** Activities that do not belong to one subject. */
export interface MaintenanceActivities {
  /** Dispatches webhook events that were left in the inbox. Rejects if some could not be dispatched. */
  sweepWebhooks(): Promise<void>;
  listApplications(): Promise<ReconciledApplication[]>;
  /** Searches the provider's past events for missed ones. */
  reconcileEvents(application: ReconciledApplication): Promise<void>;
  /** Finds subjects whose run was lost, and commands that no run received. */
  reconcileRuns(application: ReconciledApplication): Promise<void>;
  /** Compares payments, plans, subscriptions and payouts with the provider's records, and asks for unknown amounts. */
  reconcilePayments(application: ReconciledApplication): Promise<void>;
  /** Registers and repairs our webhook of each application. Rejects if a provider could not be reached. */
  repairWebhooks(): Promise<void>;
}
