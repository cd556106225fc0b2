import type { WorkflowHandle } from '@temporalio/client';

/** What stands in a run's history, by kind of event; a local activity's marker has the name of the activity. */
export async function eventNames(run: WorkflowHandle): Promise<string[]> {
  const { events } = await run.fetchHistory();
  return (events ?? []).flatMap((event) => {
    const marker = event.markerRecordedEventAttributes?.details?.['data']?.payloads?.[0]?.data;
    if (!marker) return Object.keys(event).find((key) => key.endsWith('Attributes')) ?? [];
    const { activity_type } = JSON.parse(Buffer.from(marker).toString()) as { activity_type: string };
    return activity_type;
  });
}
