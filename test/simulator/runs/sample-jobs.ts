import type { Command, Job } from '#proof/simulator/temporal/history.js';
import type { Event } from './sample-lifecycle.js';
import { RunStand } from './stand.js';

export const sent = (id: string, event: Event): Job => ({
  type: 'signalled',
  name: event.type,
  argument: { id, event },
});
export const decided = (id: string): Job => ({
  type: 'updated',
  id,
  name: 'decideReview',
  argument: { id, event: { type: 'reviewDecided', commandId: id } },
});

/** What a run asks for: names of activities with the step that is carried out beside them, timers, its end. */
export const named = (commands: readonly Command[]) =>
  commands.map((command) => {
    if (!('name' in command)) return command.type;
    const step = command.args[1] as { name: string } | undefined;
    return step ? `${command.name} with ${step.name}` : command.name;
  });

/** The view that is recorded. */
export function viewIn([command]: readonly Command[]): object {
  return command && 'name' in command ? (command.args[0] as object) : {};
}

/** The position that an activity gets. */
export function positionIn([command]: readonly Command[]) {
  if (!command || !('name' in command)) throw new Error('no activity');
  const [input, step] = command.args as [object, { args: object[] } | undefined];
  return step ? step.args[0] : input;
}

export async function begun(...given: ConstructorParameters<typeof RunStand>) {
  const stand = new RunStand(...given);
  await stand.begin();
  return stand;
}
