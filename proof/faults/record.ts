import { z } from 'zod';
import type { Command } from './order-service.js';

/** Everything that the engine told the order service about one story. */
export interface StoryRecord<View> {
  readonly commands: Command[];
  /** Commands that were sent again after their answer was final, and what the engine said then. */
  readonly repeats: { readonly first: Command; readonly again: Command }[];
  /** What the engine says in the end. */
  final?: View;
}

/** A 402 too is the outcome of a request that was taken; a refusal takes none. */
export function acceptedCommands({ commands }: Pick<StoryRecord<unknown>, 'commands'>): Command[] {
  return commands.filter(({ outcome }) => outcome === 'succeeded' || outcome === 'failed');
}

const withId = z.object({ id: z.string() });

/** The engine's id of what was ordered; undefined while it has not told. */
export function orderedId({ commands }: Pick<StoryRecord<unknown>, 'commands'>): string | undefined {
  const answer = commands.find(({ kind }) => kind === 'create')?.answer;
  return answer === undefined ? undefined : withId.parse(answer).id;
}

/** The names under which the books know what was ordered, where they know it by the engine's id. */
export function referencesOf(record: Pick<StoryRecord<unknown>, 'commands'>): string[] {
  const id = orderedId(record);
  return id === undefined ? [] : [id];
}
