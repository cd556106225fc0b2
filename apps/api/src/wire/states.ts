import { z } from 'zod';

/** A state in an answer: each value with a sentence that says what it means. */
export function shownState<const Status extends string>(
  statuses: readonly Status[],
  words: Readonly<Record<Status, string>>,
  note?: string,
) {
  const sentences = statuses.map((status) => `- \`${status}\`: ${words[status]}`);
  return z
    .enum(statuses)
    .meta({ description: [...(note === undefined ? [] : [note, '']), ...sentences].join('\n') });
}
