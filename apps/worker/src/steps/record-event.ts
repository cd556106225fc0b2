import type { Transition } from '../../../../libs/database/src/transition-rows.js';
import { writeTransition } from '../../../../libs/database/src/transitions.js';
import type { CommandOutcome } from '../../../../libs/database/src/transition-rows.js';
import type { LifecycleEvent, LifecycleState } from '../../../../libs/workflows/src/lifecycle/lifecycle.js';
import { advance } from '../../../../libs/workflows/src/lifecycle/progress.js';
import type { ActivityInput, ActivityOutcome } from '../../../../libs/workflows/src/contract/run.js';
import type { RecordingWork } from './bookkeeping.js';

/**
 * Writes what an activity has found out without an attempt: a read, a decision that was refused.
 *
 * @param adopted what becomes of commands besides, judged by the state that the event leads to.
 */
export async function recordEvent<Identity, State extends LifecycleState, Event extends LifecycleEvent>(
  { context, books }: RecordingWork<Identity, State, Event>,
  input: ActivityInput<Identity, State>,
  event: Event,
  calls: NonNullable<Transition['calls']> = [],
  adopted: (after: State) => readonly CommandOutcome[] = () => [],
): Promise<ActivityOutcome<Event>> {
  const at = Date.now();
  const { position, entry } = advance(books.lifecycle, input, event, at);
  const timeline = entry ? [...input.timeline, entry] : input.timeline;
  const subject = books.subjectOf(input.identity);
  await writeTransition(context.db, {
    records: books.records,
    subject,
    ...position,
    timeline,
    commands: [...books.commandsIn(timeline), ...adopted(position.state)],
    calls,
  });
  if (entry) context.changes.announce(subject.id);
  return { event, at };
}

/** Writes what a run decided without calling the provider: warnings, cancellations, refused commands. */
export async function recordStanding<Identity, State extends LifecycleState, Event extends LifecycleEvent>(
  { context, books }: RecordingWork<Identity, State, Event>,
  { identity, state, version, timeline }: ActivityInput<Identity, State>,
): Promise<void> {
  const subject = books.subjectOf(identity);
  const commands = books.commandsIn(timeline);
  await writeTransition(context.db, { records: books.records, subject, state, version, timeline, commands });
  context.changes.announce(subject.id);
}
