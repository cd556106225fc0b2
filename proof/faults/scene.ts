import type { Participants } from './lifecycle.js';
import type { Command } from './order-service.js';
import type { ScenarioRecord } from './record.js';

/** The most tries of a failed command, each under a new key, like a real order service. */
export const mostTries = 3;

/** The players, and the record of all the engine's answers. */
export interface Scene extends Participants {
  readonly record: Pick<ScenarioRecord<unknown>, 'commands' | 'repeats'>;
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

/** Repeats a command until the provider does not fail it. @returns the last try. */
export async function insist(scene: Scene, kind: string, path: string, body: object): Promise<Command> {
  for (let tries = 1; ; tries += 1) {
    const command = await give(scene, kind, path, body);
    if (command.outcome !== 'failed' || tries === mostTries) return command;
  }
}

/** Repeats every answered request under its key: a double click, a replayed queue. */
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
