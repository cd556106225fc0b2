import type { Client } from '@temporalio/client';
import { costOfClosingRun } from '#tools/run-cost.js';

export interface HistoryCost {
  readonly events: number[];
  readonly bytes: number[];
}

/** What runs have cost in Temporal. */
export async function historyCosts(temporal: Client, workflowIds: readonly string[]): Promise<HistoryCost> {
  const cost: HistoryCost = { events: [], bytes: [] };
  for (const workflowId of workflowIds) {
    const { historyEvents, historyBytes } = await costOfClosingRun(temporal, workflowId);
    cost.events.push(historyEvents);
    cost.bytes.push(historyBytes);
  }
  return cost;
}
