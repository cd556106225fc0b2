import type { Cast } from './lifecycle.js';
import type { Command } from './order-service.js';
import type { StoryRecord } from './record.js';

/** A command that came to nothing is given again under a fresh key, as an order service would: so many times in all. */
export const mostTries = 3;

/** Who plays, and where everything that the engine says is noted from the moment that it is asked. */
export interface Scene extends Cast {
  readonly record: Pick<StoryRecord<unknown>, 'commands' | 'repeats'>;
  readonly signal: AbortSignal;
}

export async function give(
  { orderService, record, signal }: Pick<Scene, 'orderService' | 'record' | 'signal'>,
  kind: string,
  path: string,
  body: object,
): Promise<Command> {
  const command = orderService.newCommand(kind, path, body);
  record.commands.push(command);
  await orderService.submit(command, signal);
  return command;
}

/** Gives a command until it is not failed by the provider. @returns the last try. */
export async function insist(scene: Scene, kind: string, path: string, body: object): Promise<Command> {
  for (let tries = 1; ; tries += 1) {
    const command = await give(scene, kind, path, body);
    if (command.outcome !== 'failed' || tries === mostTries) return command;
  }
}

/** Sends every request that has its answer once more under its key: a double click, a replayed queue. */
export async function repeatAnswered({
  orderService,
  record,
  signal,
}: Pick<Scene, 'orderService' | 'record' | 'signal'>): Promise<void> {
  for (const first of record.commands.filter(({ outcome }) => outcome !== 'open')) {
    const again: Command = { ...first, outcome: 'open' };
    delete again.answer;
    record.repeats.push({ first, again });
    await orderService.submit(again, signal);
  }
}
