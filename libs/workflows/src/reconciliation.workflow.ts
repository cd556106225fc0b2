import { ApplicationFailure, proxyActivities } from '@temporalio/workflow';
import {
  type MaintenanceActivities,
  type ReconciledApplication,
  signOfLifeWithin,
} from './contract/maintenance.js';

const activities = proxyActivities<MaintenanceActivities>({
  startToCloseTimeout: '4 minutes',
  heartbeatTimeout: signOfLifeWithin,
  // The Schedule starts the next reconciliation anyway, which continues where this one stopped.
  retry: { maximumAttempts: 2 },
});

/**
 * Started by a Schedule: compares our records with the provider's and with Temporal's runs, separately per application,
 * so that one provider that is away does not delay the others. Fails if any part failed, so that operators see it.
 */
export async function reconciliationWorkflow(): Promise<void> {
  const applications = await activities.listApplications();
  const failed = (await Promise.all(applications.map(reconcile))).flat();
  if (failed.length > 0) {
    throw ApplicationFailure.nonRetryable(`not reconciled: ${failed.join(', ')}`, 'NotReconciled');
  }
}

/** @returns the parts that failed. */
async function reconcile(of: ReconciledApplication): Promise<string[]> {
  const name = `${of.environment}/${of.application}`;
  // Runs first, so that found events reach open runs.
  return [
    ...(await failureOf(`runs of ${name}`, activities.reconcileRuns(of))),
    ...(await failureOf(`events of ${name}`, activities.reconcileEvents(of))),
    ...(await failureOf(`records of ${name}`, activities.reconcilePayments(of))),
  ];
}

async function failureOf(part: string, work: Promise<void>): Promise<string[]> {
  try {
    await work;
    return [];
  } catch {
    // The failure of the activity is in the history.
    return [part];
  }
}
