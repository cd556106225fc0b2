import type { Client } from '@temporalio/client';
import proto, { type temporal } from '@temporalio/proto';
import { callWithin } from './call-within.js';

type HistoryEvent = temporal.api.history.v1.IHistoryEvent;

const { EVENT_TYPE_WORKFLOW_TASK_COMPLETED } = proto.temporal.api.enums.v1.EventType;

/** More than a few workflow tasks write. A run that no worker continues may have got any number of signals since. */
const pageSize = 200;

/**
 * The end of a run's history, newest first, back to a workflow task that was completed, and some events before it.
 *
 * @throws {TemporalAwayError}
 */
export async function newestEvents(
  client: Client,
  deadlineMs: number,
  execution: { readonly workflowId: string; readonly runId: string },
): Promise<readonly HistoryEvent[]> {
  const { namespace } = client.options;
  const newestFirst: HistoryEvent[] = [];
  for (let nextPageToken: Uint8Array | null | undefined; ;) {
    const page = await callWithin(client, deadlineMs, () =>
      client.workflowService.getWorkflowExecutionHistoryReverse({
        namespace,
        execution,
        maximumPageSize: pageSize,
        ...(nextPageToken && { nextPageToken }),
      }),
    );
    const events = page.history?.events ?? [];
    newestFirst.push(...events);
    ({ nextPageToken } = page);
    if (events.some(isCompletedTask) || !nextPageToken?.length) return newestFirst;
  }
}

/** True for the event of a workflow task that was completed. */
export function isCompletedTask({ eventType }: HistoryEvent): boolean {
  return eventType === EVENT_TYPE_WORKFLOW_TASK_COMPLETED;
}
