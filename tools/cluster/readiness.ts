import { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import proto from '@temporalio/proto';
import { hasStatus } from '../grpc-status.js';

const namespace = 'default';
/** How long runs that have ended are kept. */
const retention = '7 days';
const taskQueueType = proto.temporal.api.enums.v1.TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW;
const answerWithinMs = 6_000;

/**
 * Whether every role of a server answers for the namespace `default`, which is made where the store has none. The roles
 * start one by one and learn of a new namespace one by one: one that answers says nothing of the others.
 */
export async function isReadyToServe(address: string): Promise<boolean> {
  const connection = await Connection.connect({ address, connectTimeout: answerWithinMs });
  try {
    return await connection.withDeadline(Date.now() + answerWithinMs, async () => {
      await ensureNamespace(connection);
      await askEachRole(connection);
      return true;
    });
  } finally {
    await connection.close();
  }
}

async function ensureNamespace({ workflowService }: Connection): Promise<void> {
  try {
    await workflowService.describeNamespace({ namespace });
  } catch (error) {
    if (!hasStatus(error, 'notFound')) throw error;
    await workflowService.registerNamespace({
      namespace,
      workflowExecutionRetentionPeriod: msToTs(retention),
    });
  }
}

async function askEachRole({ workflowService }: Connection): Promise<void> {
  // The frontend and the store of visibility, then matching, then history.
  await workflowService.listWorkflowExecutions({ namespace, pageSize: 1 });
  await workflowService.describeTaskQueue({ namespace, taskQueue: { name: 'readiness' }, taskQueueType });
  try {
    await workflowService.describeWorkflowExecution({ namespace, execution: { workflowId: 'readiness' } });
  } catch (error) {
    // History has looked.
    if (!hasStatus(error, 'notFound')) throw error;
  }
}
