import type { DatabaseTransaction } from '#database/connection';
import {
  type CommandOutcome,
  type Transition,
  writeTransition,
  writeTransitionWithRows,
} from '#database/transitions';
import { advance } from '#workflows/lifecycle';
import { outcomesIn } from './command-outcomes.js';
import type { MadeRead } from './make-read.js';
import {
  type InputOf,
  type Kind,
  type OutcomeOf,
  type Reported,
  type Work,
  taskOf,
} from './subject-writer.js';

/** Further outcomes of commands, by the state after the event. */
type Adopted<State> = (after: State) => readonly CommandOutcome[];

/** Writes an event that needed no attempt, such as a read or a refused decision. */
export async function recordEvent<K extends Kind>(
  work: Work<K>,
  input: InputOf<K>,
  event: Reported<K>,
  made: MadeRead = { calls: [] },
  adopted?: Adopted<K['state']>,
): Promise<OutcomeOf<K>> {
  const { transition, outcome, isNews } = transitionAfter(work, input, event, made, adopted);
  await writeTransition(work.context.db, transition, () => {
    if (isNews) work.context.changes.announce(transition.subject.id);
  });
  return outcome;
}

/** @param save writes further rows in the same transaction and returns the resulting event. */
export async function recordFinding<K extends Kind>(
  work: Work<K>,
  input: InputOf<K>,
  save: (trx: DatabaseTransaction) => Promise<K['event']>,
  made: MadeRead,
  adopted?: Adopted<K['state']>,
): Promise<OutcomeOf<K>> {
  let found: Recorded<K> | undefined;
  await writeTransitionWithRows(work.context.db, async (trx) => {
    found = transitionAfter(work, input, await save(trx), made, adopted);
    return found.transition;
  });
  if (!found) throw new Error('the transaction ended without an event');
  if (found.isNews) work.context.changes.announce(found.transition.subject.id);
  return found.outcome;
}

interface Recorded<K extends Kind> {
  readonly transition: Transition<K['state']>;
  readonly outcome: OutcomeOf<K>;
  readonly isNews: boolean;
}

function transitionAfter<K extends Kind>(
  { writer }: Work<K>,
  input: InputOf<K>,
  event: Reported<K>,
  { calls, beganAt }: MadeRead,
  adopted: Adopted<K['state']> = () => [],
): Recorded<K> {
  const at = Date.now();
  const { position, entry, effect } = advance(writer.lifecycle, input, event, at);
  const timeline = entry ? [...input.timeline, entry] : input.timeline;
  const transition = {
    ...taskOf(input),
    records: writer.records,
    subject: writer.subjectOf(input.identity),
    ...position,
    timeline,
    commands: [...outcomesIn(writer, timeline, input.state), ...adopted(position.state)],
    calls,
    // With an effect, what the read led to is still to come.
    readBeganAt: effect ? undefined : beganAt,
  };
  return { transition, outcome: { event, at }, isNews: entry !== undefined };
}

/** Writes what a run did without a call to the provider: warnings, cancellations, refused commands. */
export async function recordTransitionWithoutCall<K extends Kind>(
  { context, writer }: Work<K>,
  input: InputOf<K>,
): Promise<undefined> {
  const { identity, state, version, timeline } = input;
  const subject = writer.subjectOf(identity);
  const commands = outcomesIn(writer, timeline, state);
  const { records } = writer;
  const transition = { ...taskOf(input), records, subject, state, version, timeline, commands };
  await writeTransition(context.db, transition, () => context.changes.announce(subject.id));
}
