import { z } from 'zod';
import type { StoredEntry } from '../../../../libs/database/src/timeline.js';
import { shownInstant } from './fields.js';

export const timelineAnswer = z
  .object({
    entries: z.array(
      z.object({
        version: z.int(),
        event: z.string(),
        kind: z.enum(['moved', 'refused', 'conflict']),
        from: z.string(),
        to: z.string(),
        at: shownInstant,
        detail: z.string().nullable(),
        commandId: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'Timeline' });
export type TimelineAnswer = z.output<typeof timelineAnswer>;

export function viewTimeline(entries: readonly StoredEntry[]): TimelineAnswer {
  return {
    entries: entries.map(({ from_status, to_status, at, command_id, ...entry }) => ({
      ...entry,
      from: from_status,
      to: to_status,
      at: at.toISOString(),
      commandId: command_id,
    })),
  };
}
