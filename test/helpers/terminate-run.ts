import type { Client } from '@temporalio/client';
import { until } from './until.js';

/** Ends a run as an operator would by hand. A subject's row is there a moment before its run, which is awaited. */
export async function terminateRun(temporal: Client, workflowId: string): Promise<void> {
  const run = temporal.workflow.getHandle(workflowId);
  const tries = () => run.terminate('by hand').then(Boolean, () => false);
  await until(tries, Boolean, 'the run to be there, and gone');
}
