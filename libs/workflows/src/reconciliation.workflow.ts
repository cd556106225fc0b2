import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  ApplicationFailure,
  ParentClosePolicy,
  proxyActivities,
  startChild,
  workflowInfo,
} from '@temporalio/workflow';
import {
  type MaintenanceActivities,
  type ReconciledApplication,
  reconciliationIdOf,
  signOfLifeWithin,
} from './contract/maintenance.js';

const activities = proxyActivities<MaintenanceActivities>({
  startToCloseTimeout: '4 minutes',
  heartbeatTimeout: signOfLifeWithin,
  // The Schedule starts the next reconciliation anyway, which continues where this one stopped.
  retry: { maximumAttempts: 2 },
});

/** An application has one run at a time, so one that hangs would block all later ones. */
const longestRun = '15 minutes';

/**
 * Started by a Schedule: starts a run for each application and waits for none, so that a provider that hangs delays no
 * other application. Where the run of an earlier round still works, there is none to start.
 */
export async function reconciliationRoundWorkflow(): Promise<void> {
  const applications = await activities.listApplications();
  await Promise.all(applications.map(startReconciliation));
}

/**
 * Compares our records of an application with the provider's and with Temporal's runs. Fails if any part failed, so that
 * operators see it.
 *
 * @param only absent in runs that began when one run reconciled all applications.
 */
export async function reconciliationWorkflow(only?: ReconciledApplication): Promise<void> {
  const applications = only ? [only] : await activities.listApplications();
  const failed = (await Promise.all(applications.map(reconcile))).flat();
  if (failed.length > 0) {
    throw ApplicationFailure.nonRetryable(`not reconciled: ${failed.join(', ')}`, 'NotReconciled');
  }
}

async function startReconciliation(of: ReconciledApplication): Promise<void> {
  try {
    await startChild(reconciliationWorkflow, {
      workflowId: reconciliationIdOf(workflowInfo().taskQueue, of),
      args: [of],
      parentClosePolicy: ParentClosePolicy.ABANDON,
      workflowExecutionTimeout: longestRun,
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
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
