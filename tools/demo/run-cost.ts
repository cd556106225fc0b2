import { Client, Connection } from '@temporalio/client';
import { setTimeout as sleep } from 'node:timers/promises';
import { paymentWorkflowId } from '../../libs/workflows/src/contract/payment.js';
import { applicationName, environmentName, temporalNamespace } from '../stack-environment.js';

export interface RunCost {
  readonly historyEvents: number;
  readonly historyBytes: number;
}

const closedWithinMs = 5_000;

/** What a payment's run has cost in Temporal; a run that is about to close is waited for. */
export async function measureRun(temporalAddress: string, paymentId: string): Promise<RunCost> {
  const connection = await Connection.connect({ address: temporalAddress });
  try {
    const client = new Client({ connection, namespace: temporalNamespace });
    const identity = { environment: environmentName, application: applicationName, paymentId };
    const handle = client.workflow.getHandle(paymentWorkflowId(identity));
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
