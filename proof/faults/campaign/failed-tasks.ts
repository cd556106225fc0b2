import { Client, Connection } from '@temporalio/client';
import proto, { type temporal } from '@temporalio/proto';
import { withoutKeys } from '#tools/sealed-payloads.js';
import { temporalNamespace } from '#tools/stack-environment.js';

/** Workflow tasks that were not completed, of all runs of a campaign. */
export interface FailedTasks {
  /** A message came while the task was with a worker, so that it could not complete (`UnhandledCommand`). */
  readonly byMessage: number;
  readonly otherwise: number;
  /** A worker died with it, or was paused for too long. */
  readonly timedOut: number;
}

const types = ['paymentWorkflow', 'refundWorkflow', 'subscriptionWorkflow', 'planWorkflow', 'payoutWorkflow'];
const causes = proto.temporal.api.enums.v1.WorkflowTaskFailedCause;
const unhandledCommand = causes.WORKFLOW_TASK_FAILED_CAUSE_UNHANDLED_COMMAND;
const historiesAtATime = 4;

/** Counted in the histories: the metrics of servers and workers end with each kill. */
export async function countFailedTasks(temporalAddress: string): Promise<FailedTasks> {
  const count = { byMessage: 0, otherwise: 0, timedOut: 0 };
  for await (const events of historiesOf(temporalAddress)) {
    for (const event of events) {
      if (event.workflowTaskTimedOutEventAttributes) count.timedOut += 1;
      const failed = event.workflowTaskFailedEventAttributes;
      if (failed) count[failed.cause === unhandledCommand ? 'byMessage' : 'otherwise'] += 1;
    }
  }
  return count;
}

/** The events of each run of a campaign. */
export async function* historiesOf(
  temporalAddress: string,
): AsyncGenerator<readonly temporal.api.history.v1.IHistoryEvent[]> {
  const connection = await Connection.connect({ address: temporalAddress });
  try {
    const { workflow } = new Client({
      connection,
      namespace: temporalNamespace,
      dataConverter: withoutKeys,
    });
    const query = `WorkflowType IN (${types.map((type) => `"${type}"`).join(', ')})`;
    const runs = workflow.list({ query }).intoHistories({ concurrency: historiesAtATime });
    for await (const { history } of runs) yield (history as temporal.api.history.v1.IHistory).events ?? [];
  } finally {
    await connection.close();
  }
}
