import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  ApplicationFailure,
  ParentClosePolicy,
  patched,
  proxyActivities,
  sleep,
  startChild,
  workflowInfo,
} from '@temporalio/workflow';
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

/** A round waits no longer for an application, so that the next round of the others is not delayed. */
const longestWait = '5 seconds';

/**
 * Started by a Schedule: compares our records with the provider's and with Temporal's runs, separately per application.
 * Each has a run of its own, which may outlive this one: a provider that hangs does not delay the others. Fails if any
 * part failed in time, so that operators see it; the others' own runs show it.
 */
export async function reconciliationWorkflow(): Promise<void> {
  const applications = await activities.listApplications();
  const reconciled = patched('a run for each application') ? reconcileApart : failuresOf;
  assertNone((await Promise.all(applications.map(reconciled))).flat());
}

export async function applicationReconciliationWorkflow(of: ReconciledApplication): Promise<void> {
  assertNone(await failuresOf(of));
}

async function reconcileApart(of: ReconciledApplication): Promise<string[]> {
  const name = nameOf(of);
  try {
    const child = await startChild(applicationReconciliationWorkflow, {
      workflowId: `${workflowInfo().taskQueue}/reconciliation/${name}`,
      args: [of],
      parentClosePolicy: ParentClosePolicy.ABANDON,
    });
    return await Promise.race([failureOf(name, child.result()), sleep(longestWait).then(() => [])]);
  } catch (error) {
    // That of an earlier round still runs: the provider hangs.
    if (error instanceof WorkflowExecutionAlreadyStartedError) return [];
    throw error;
  }
}

/** @returns the parts that failed. */
async function failuresOf(of: ReconciledApplication): Promise<string[]> {
  const name = nameOf(of);
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
    // The failure is in the history.
    return [part];
  }
}

function assertNone(failed: readonly string[]): void {
  if (failed.length > 0)
    throw ApplicationFailure.nonRetryable(`not reconciled: ${failed.join(', ')}`, 'NotReconciled');
}

function nameOf({ environment, application }: ReconciledApplication): string {
  return `${environment}/${application}`;
}
