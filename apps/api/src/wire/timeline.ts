import { z } from 'zod';
import type { StoredEntry } from '#database/transitions';
import { shownInstant } from './fields.js';
import { listAnswer, wholeList } from './pages.js';

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

export const timelineAnswer = listAnswer(timelineEntry, 'Timeline');
export type TimelineAnswer = z.output<typeof timelineAnswer>;

/** A timeline line that is shown within its own subject. */
export const timelineLine = timelineEntry.omit({ commandId: true });

export function viewTimeline(entries: readonly StoredEntry[]): TimelineAnswer {
  return wholeList(entries.map(({ command_id, ...line }) => ({ ...viewLine(line), commandId: command_id })));
}

/** @param at an ISO 8601 string if the database has converted the row to JSON. */
export function viewLine({
  from_status: from,
  to_status: to,
  at,
  ...line
}: Omit<StoredEntry, 'command_id' | 'at'> & { readonly at: Date | string }): z.output<typeof timelineLine> {
  return { ...line, from, to, at: new Date(at).toISOString() };
}
