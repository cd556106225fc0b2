import { findPosition } from '#database/transitions';
import type { LifecycleEvent, LifecycleState, Position } from '#workflows/lifecycle';
import type { RecordingWork } from './bookkeeping.js';

/**
 * Where what has ended stands, by its rows. Nobody but a run under the same id writes them after the end, and the one
 * that asks is the only one.
 */
export async function findEnded<Identity, State extends LifecycleState, Event extends LifecycleEvent>(
  { context, books }: RecordingWork<Identity, State, Event>,
  identity: Identity,
): Promise<Position<State>> {
  const { records, lifecycle } = books;
  const subject = books.subjectOf(identity);
  const position = await findPosition(context.db, records, subject);
  if (!position || !lifecycle.isTerminal(position.state.status))
    throw new Error(`${subject.id} has no row that has ended`);
  return position;
}
