import type { DatabaseTransaction } from '#database/connection';
import { type CommandOutcome, writeTransition, writeTransitionAlong } from '#database/transitions';
import { type LifecycleEvent, type LifecycleState, advance } from '#workflows/lifecycle';
import type { ActivityInput, ActivityOutcome } from '#workflows/contract';
import type { Calls } from './step-record.js';
import { type RecordingWork, writerOf } from './bookkeeping.js';

/** What else becomes of commands, by the state that the event leads to. */
type Adopted<State> = (after: State) => readonly CommandOutcome[];

/** Writes what an activity has found out without an attempt: a read, a decision that was refused. */
export async function recordEvent<Identity, State extends LifecycleState, Event extends LifecycleEvent>(
  work: RecordingWork<Identity, State, Event>,
  input: ActivityInput<Identity, State>,
  event: Event,
  calls: Calls = [],
  adopted?: Adopted<State>,
): Promise<ActivityOutcome<Event>> {
  return await recordFinding(work, input, async () => event, calls, adopted);
}

/** @param save writes other rows that tell of the same, in the same transaction, and returns what they come to. */
export async function recordFinding<Identity, State extends LifecycleState, Event extends LifecycleEvent>(
  { context, books }: RecordingWork<Identity, State, Event>,
  input: ActivityInput<Identity, State>,
  save: (trx: DatabaseTransaction) => Promise<Event>,
  calls: Calls,
  adopted: Adopted<State> = () => [],
): Promise<ActivityOutcome<Event>> {
  const subject = books.subjectOf(input.identity);
  const found: { outcome?: ActivityOutcome<Event>; isNews?: boolean } = {};
  await writeTransitionAlong(context.db, async (trx) => {
    const event = await save(trx);
    const at = Date.now();
    const { position, entry } = advance(books.lifecycle, input, event, at);
    Object.assign(found, { outcome: { event, at }, isNews: entry !== undefined });
    const timeline = entry ? [...input.timeline, entry] : input.timeline;
    return {
      ...writerOf(input),
      records: books.records,
      subject,
      ...position,
      timeline,
      commands: [...books.commandsIn(timeline), ...adopted(position.state)],
      calls,
    };
  });
  if (!found.outcome) throw new Error('a finding without an event');
  if (found.isNews) context.changes.announce(subject.id);
  return found.outcome;
}

/** Writes what a run decided without calling the provider: warnings, cancellations, refused commands. */
export async function recordStanding<Identity, State extends LifecycleState, Event extends LifecycleEvent>(
  { context, books }: RecordingWork<Identity, State, Event>,
  input: ActivityInput<Identity, State>,
): Promise<undefined> {
  const { identity, state, version, timeline } = input;
  const subject = books.subjectOf(identity);
  const commands = books.commandsIn(timeline);
  const { records } = books;
  await writeTransition(context.db, {
    ...writerOf(input),
    records,
    subject,
    state,
    version,
    timeline,
    commands,
  });
  context.changes.announce(subject.id);
}
