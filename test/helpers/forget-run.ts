import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { until } from './until.js';

/** As the loss of Temporal's store: the run and its history are gone. Temporal deletes later than it answers. */
export async function forgetRun(temporal: Client, workflowId: string): Promise<void> {
  await temporal.workflowService.deleteWorkflowExecution({
    namespace: 'default',
    workflowExecution: { workflowId },
  });
  const isGone = async () =>
    await temporal.workflow
      .getHandle(workflowId)
      .describe()
      .then(
        () => false,
        (error: unknown) => error instanceof WorkflowNotFoundError,
      );
  await until(isGone, Boolean, 'the run to be gone');
}
