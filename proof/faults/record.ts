import { z } from 'zod';
import type { Command } from './order-service.js';

/** Everything that the engine answered the order service about one scenario. */
export interface ScenarioRecord<View> {
  readonly commands: Command[];
  /** Commands that were repeated after their final answer, and the engine's answers. */
  readonly repeats: { readonly first: Command; readonly again: Command }[];
  /** The engine's last answer. */
  final?: View;
}

/** A 402 too is the outcome of a request that was taken; a refusal takes none. */
export function acceptedCommands({ commands }: Pick<ScenarioRecord<unknown>, 'commands'>): Command[] {
  return commands.filter(({ outcome }) => outcome === 'succeeded' || outcome === 'failed');
}

const withId = z.object({ id: z.string() });

/** The engine's id of what was ordered; undefined while it has not answered. */
export function orderedId({ commands }: Pick<ScenarioRecord<unknown>, 'commands'>): string | undefined {
  const answer = commands.find(({ kind }) => kind === 'create')?.answer;
  return answer === undefined ? undefined : withId.parse(answer).id;
}

/** The names under which the books know what was ordered, where they know it by the engine's id. */
export function referencesOf(record: Pick<ScenarioRecord<unknown>, 'commands'>): string[] {
  const id = orderedId(record);
  return id === undefined ? [] : [id];
}
