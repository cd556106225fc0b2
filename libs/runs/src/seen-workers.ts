import type { Client } from '@temporalio/client';
import { tsToMs } from '@temporalio/common/lib/time.js';
import proto from '@temporalio/proto';

const taskQueueType = proto.temporal.api.enums.v1.TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW;

/** A worker that asks Temporal for tasks. One that finds none asks again after a minute. */
export interface SeenWorker {
  /** Process and host. */
  readonly name: string;
  readonly seenAt: Date;
}

/** The workers that have asked for tasks in the last minutes, the latest first: Temporal forgets the others. */
export async function seenWorkers(
  { connection, options: { namespace } }: Client,
  taskQueue: string,
): Promise<SeenWorker[]> {
  const { pollers } = await connection.workflowService.describeTaskQueue({
    namespace,
    taskQueue: { name: taskQueue },
    taskQueueType,
  });
  const latest = new Map<string, number>();
  for (const { identity, lastAccessTime: at } of pollers ?? []) {
    const name = identity ?? '';
    latest.set(name, Math.max(latest.get(name) ?? 0, at ? tsToMs(at) : 0));
  }
  return [...latest]
    .map(([name, at]) => ({ name, seenAt: new Date(at) }))
    .toSorted((one, other) => other.seenAt.getTime() - one.seenAt.getTime());
}
