import { z } from 'zod';
import type { StoredEntry } from '#database/transitions';
import { shownInstant } from './fields.js';

const timelineEntry = z.object({
  version: z.int(),
  event: z.string(),
  kind: z.enum(['moved', 'refused', 'conflict']),
  from: z.string(),
  to: z.string(),
  at: shownInstant,
  detail: z.string().nullable(),
  commandId: z.string().nullable(),
});

export const timelineAnswer = z.object({ entries: z.array(timelineEntry) }).meta({ id: 'Timeline' });
export type TimelineAnswer = z.output<typeof timelineAnswer>;

/** A line of a story that is shown within what it is about. */
export const storyLine = timelineEntry.omit({ commandId: true });

export function viewTimeline(entries: readonly StoredEntry[]): TimelineAnswer {
  return {
    entries: entries.map(({ command_id, ...line }) => ({ ...viewLine(line), commandId: command_id })),
  };
}

/** @param at ISO 8601 where the database has made JSON of it. */
export function viewLine({
  from_status: from,
  to_status: to,
  at,
  ...line
}: Omit<StoredEntry, 'command_id' | 'at'> & { readonly at: Date | string }): z.output<typeof storyLine> {
  return { ...line, from, to, at: new Date(at).toISOString() };
}
