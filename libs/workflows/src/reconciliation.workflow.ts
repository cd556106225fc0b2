import { ApplicationFailure, proxyActivities } from '@temporalio/workflow';
import {
  type MaintenanceActivities,
  type ReconciledApplication,
  signOfLifeWithin,
} from './contract/maintenance.js';

const activities = proxyActivities<MaintenanceActivities>({
  startToCloseTimeout: '4 minutes',
  heartbeatTimeout: signOfLifeWithin,
  // The schedule starts the next reconciliation anyway, and it goes on where this one stopped.
  retry: { maximumAttempts: 2 },
});

/**
 * Started by a Schedule: holds our records against the provider's and against Temporal's, each application for itself,
 * so that one whose provider is away keeps no other waiting. Fails when any part did, for operators to see.
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
  // Runs first, so that what is found afterwards meets runs that live.
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
    // Its own failure stands in the history.
    return [part];
  }
}
