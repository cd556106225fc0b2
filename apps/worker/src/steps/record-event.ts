import type { DatabaseTransaction } from '../../../../libs/database/src/database.js';
import type { CommandOutcome } from '../../../../libs/database/src/transition-rows.js';
import { writeTransition, writeTransitionWithin } from '../../../../libs/database/src/transitions.js';
import type { LifecycleEvent, LifecycleState } from '../../../../libs/workflows/src/lifecycle/lifecycle.js';
import { advance } from '../../../../libs/workflows/src/lifecycle/progress.js';
import type { ActivityInput, ActivityOutcome } from '../../../../libs/workflows/src/contract/run.js';
import type { Calls } from './attempt-step.js';
import type { RecordingWork } from './bookkeeping.js';

/** What becomes of commands besides, judged by the state that the event leads to. */
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
  const { outcome, isNews } = await context.db.transaction().execute(async (trx) => {
    const event = await save(trx);
    const at = Date.now();
    const { position, entry } = advance(books.lifecycle, input, event, at);
    const timeline = entry ? [...input.timeline, entry] : input.timeline;
    await writeTransitionWithin(trx, {
      records: books.records,
      subject,
      ...position,
      timeline,
      commands: [...books.commandsIn(timeline), ...adopted(position.state)],
      calls,
    });
    return { outcome: { event, at }, isNews: entry !== undefined };
  });
  if (isNews) context.changes.announce(subject.id);
  return outcome;
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
