import { createReadStream, globSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import proto, { type temporal } from '@temporalio/proto';
import { historiesOf } from '../faults/campaign/failed-tasks.js';

export interface SeenInHistories {
  /** Workflow tasks that failed because the code asks for something else than the history holds. */
  readonly nonDeterministic: number;
  /** Runs that workers with more than one bundle have continued. */
  readonly crossed: number;
  /** Runs that have begun a patch of a generated release. */
  readonly patched: number;
  readonly runs: number;
}

const { WORKFLOW_TASK_FAILED_CAUSE_NON_DETERMINISTIC_ERROR: nonDeterministicError } =
  proto.temporal.api.enums.v1.WorkflowTaskFailedCause;

export async function lookAtHistories(temporalAddress: string): Promise<SeenInHistories> {
  const seen = { nonDeterministic: 0, crossed: 0, patched: 0, runs: 0 };
  for await (const events of historiesOf(temporalAddress)) {
    seen.runs += 1;
    seen.nonDeterministic += events.filter(
      ({ workflowTaskFailedEventAttributes: failed }) => failed?.cause === nonDeterministicError,
    ).length;
    if (bundlesOf(events).size > 1) seen.crossed += 1;
    // Nothing else of the engine changes a memo.
    if (events.some((event) => event.workflowPropertiesModifiedEventAttributes)) seen.patched += 1;
  }
  return seen;
}

function bundlesOf(events: readonly temporal.api.history.v1.IHistoryEvent[]): ReadonlySet<string> {
  const completed = events.flatMap((event) => event.workflowTaskCompletedEventAttributes ?? []);
  const ids = completed.map(({ workerVersion, binaryChecksum }) => workerVersion?.buildId || binaryChecksum);
  return new Set(ids.filter((id) => typeof id === 'string'));
}

/** How often a worker has reported one: also of a task whose failure Temporal keeps in no history. */
export async function countInLogs(dataFolder: string): Promise<number> {
  let count = 0;
  for (const file of globSync(join(dataFolder, 'logs/worker*'))) {
    for await (const line of createInterface({ input: createReadStream(file) }))
      if (/TMPRL1100|non-?determinis(m|tic)/i.test(line)) count += 1;
  }
  return count;
}
