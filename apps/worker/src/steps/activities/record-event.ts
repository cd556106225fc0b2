import type { DatabaseTransaction } from '#database/connection';
import { type CommandOutcome, writeTransition, writeTransitionAlong } from '#database/transitions';
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
  return await recordFinding(work, input, async () => event, calls, adopted);
}

/** @param save writes further rows in the same transaction and returns the resulting event. */
export async function recordFinding<Identity, State extends LifecycleState, Event extends LifecycleEvent>(
  { context, writer }: RecordingWork<Identity, State, Event>,
  input: ActivityInput<Identity, State>,
  save: (trx: DatabaseTransaction) => Promise<Event>,
  calls: Calls,
  adopted: Adopted<State> = () => [],
): Promise<ActivityOutcome<Event>> {
  const subject = writer.subjectOf(input.identity);
  const found: { outcome?: ActivityOutcome<Event>; isNews?: boolean } = {};
  await writeTransitionAlong(context.db, async (trx) => {
    const event = await save(trx);
    const at = Date.now();
    const { position, entry } = advance(writer.lifecycle, input, event, at);
    Object.assign(found, { outcome: { event, at }, isNews: entry !== undefined });
    const timeline = entry ? [...input.timeline, entry] : input.timeline;
    return {
      ...taskOf(input),
      records: writer.records,
      subject,
      ...position,
      timeline,
      commands: [...writer.commandsIn(timeline), ...adopted(position.state)],
      calls,
    };
  });
  if (!found.outcome) throw new Error('a finding without an event');
  if (found.isNews) context.changes.announce(subject.id);
  return found.outcome;
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
