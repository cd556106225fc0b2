import type { DatabaseTransaction } from '#database/connection';
import {
  type CommandOutcome,
  type Transition,
  writeTransition,
  writeTransitionAlong,
} from '#database/transitions';
import { type LifecycleEvent, type LifecycleState, advance } from '#workflows/lifecycle';
import type { ActivityInput, ActivityOutcome } from '#workflows/contract';
import { type Calls, type RecordingWork, taskOf } from './subject-writer.js';

/** Further outcomes of commands, by the state after the event. */
type Adopted<State> = (after: State) => readonly CommandOutcome[];

/** Writes an event that needed no attempt, such as a read or a refused decision. */
export async function recordEvent<Identity, State extends LifecycleState, Event extends LifecycleEvent>(
  work: RecordingWork<Identity, State, Event>,
  input: ActivityInput<Identity, State>,
  event: Event,
  calls: Calls = [],
  adopted?: Adopted<State>,
): Promise<ActivityOutcome<Event>> {
  const { transition, outcome, isNews } = transitionAfter(work, input, event, calls, adopted);
  await writeTransition(work.context.db, transition);
  if (isNews) work.context.changes.announce(transition.subject.id);
  return outcome;
}

/** @param save writes further rows in the same transaction and returns the resulting event. */
export async function recordFinding<Identity, State extends LifecycleState, Event extends LifecycleEvent>(
  work: RecordingWork<Identity, State, Event>,
  input: ActivityInput<Identity, State>,
  save: (trx: DatabaseTransaction) => Promise<Event>,
  calls: Calls,
  adopted?: Adopted<State>,
): Promise<ActivityOutcome<Event>> {
  let found: Recorded<State, Event> | undefined;
  await writeTransitionAlong(work.context.db, async (trx) => {
    found = transitionAfter(work, input, await save(trx), calls, adopted);
    return found.transition;
  });
  if (!found) throw new Error('a finding without an event');
  if (found.isNews) work.context.changes.announce(found.transition.subject.id);
  return found.outcome;
}

interface Recorded<State extends LifecycleState, Event> {
  readonly transition: Transition<State>;
  readonly outcome: ActivityOutcome<Event>;
  readonly isNews: boolean;
}

function transitionAfter<Identity, State extends LifecycleState, Event extends LifecycleEvent>(
  { writer }: RecordingWork<Identity, State, Event>,
  input: ActivityInput<Identity, State>,
  event: Event,
  calls: Calls,
  adopted: Adopted<State> = () => [],
): Recorded<State, Event> {
  const at = Date.now();
  const { position, entry } = advance(writer.lifecycle, input, event, at);
  const timeline = entry ? [...input.timeline, entry] : input.timeline;
  const transition = {
    ...taskOf(input),
    records: writer.records,
    subject: writer.subjectOf(input.identity),
    ...position,
    timeline,
    commands: [...writer.commandsIn(timeline), ...adopted(position.state)],
    calls,
  };
  return { transition, outcome: { event, at }, isNews: entry !== undefined };
}

/** Writes what a run did without a call to the provider: warnings, cancellations, refused commands. */
export async function recordTransitionWithoutCall<
  Identity,
  State extends LifecycleState,
  Event extends LifecycleEvent,
>(
  { context, writer }: RecordingWork<Identity, State, Event>,
  input: ActivityInput<Identity, State>,
): Promise<undefined> {
  const { identity, state, version, timeline } = input;
  const subject = writer.subjectOf(identity);
  const commands = writer.commandsIn(timeline);
  const { records } = writer;
  await writeTransition(context.db, {
    ...taskOf(input),
    records,
    subject,
    state,
    version,
    timeline,
    commands,
  });
  context.changes.announce(subject.id);
}
