import type { Client } from '@temporalio/client';
import { setTimeout as sleep } from 'node:timers/promises';

export interface HistoryCost {
  readonly events: number[];
  readonly bytes: number[];
}

const closedWithinMs = 5_000;

/** What runs have cost in Temporal. The answer to the last request may come a moment before a run closes. */
export async function historyCosts(temporal: Client, workflowIds: readonly string[]): Promise<HistoryCost> {
  const cost: HistoryCost = { events: [], bytes: [] };
  for (const workflowId of workflowIds) {
    const handle = temporal.workflow.getHandle(workflowId);
    const patience = Date.now() + closedWithinMs;
    let run = await handle.describe();
    while (run.status.name === 'RUNNING' && Date.now() < patience) {
      await sleep(20);
      run = await handle.describe();
    }
    cost.events.push(run.historyLength);
    cost.bytes.push(run.historySize ?? 0);
  }
  return cost;
}
