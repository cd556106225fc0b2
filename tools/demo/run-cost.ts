import { Client, Connection } from '@temporalio/client';
import { setTimeout as sleep } from 'node:timers/promises';
import { workflowIdOf } from '../../libs/workflows/src/contract/run.js';
import { applicationName, environmentName, temporalNamespace } from '../stack-environment.js';

export interface RunCost {
  readonly historyEvents: number;
  readonly historyBytes: number;
}

const closedWithinMs = 5_000;

/** What the run of a payment, or whatever else, has cost in Temporal; a run that is about to close is waited for. */
export async function measureRun(temporalAddress: string, id: string): Promise<RunCost> {
  const connection = await Connection.connect({ address: temporalAddress });
  try {
    const client = new Client({ connection, namespace: temporalNamespace });
    const subject = { environment: environmentName, application: applicationName, id };
    const handle = client.workflow.getHandle(workflowIdOf(subject));
    let run = await handle.describe();
    for (
      const patience = Date.now() + closedWithinMs;
      run.status.name === 'RUNNING' && Date.now() < patience;
    ) {
      await sleep(50);
      run = await handle.describe();
    }
    return { historyEvents: run.historyLength, historyBytes: run.historySize ?? 0 };
  } finally {
    await connection.close();
  }
}
