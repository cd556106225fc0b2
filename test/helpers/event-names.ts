import type { WorkflowHandle } from '@temporalio/client';
import type { temporal } from '@temporalio/proto';

/** What stands in a run's history, by kind of event; a local activity's marker has the name of the activity. */
export async function eventNames(run: WorkflowHandle): Promise<string[]> {
  const { events } = await run.fetchHistory();
  return (events ?? []).flatMap(
    (event) => activityOf(event) ?? Object.keys(event).find((key) => key.endsWith('Attributes')) ?? [],
  );
}

/** Which local activity left the event, if one has. */
export function activityOf({
  markerRecordedEventAttributes: marker,
}: temporal.api.history.v1.IHistoryEvent): string | undefined {
  const data = marker?.details?.['data']?.payloads?.[0]?.data;
  if (!data) return undefined;
  const { activity_type } = JSON.parse(Buffer.from(data).toString()) as { activity_type: string };
  return activity_type;
}
