import { findPosition } from '#database/transitions';
import type { LifecycleEvent, LifecycleState, Position } from '#workflows/lifecycle';
import type { RecordingWork } from './subject-writer.js';

/**
 * Reads the state of an ended subject from its rows. Only a run with its id writes them after the end, and the asking
 * run is the only one.
 */
export async function findEnded<Identity, State extends LifecycleState, Event extends LifecycleEvent>(
  { context, writer }: RecordingWork<Identity, State, Event>,
  identity: Identity,
): Promise<Position<State>> {
  const { records, lifecycle } = writer;
  const subject = writer.subjectOf(identity);
  const position = await findPosition(context.db, records, subject);
  if (!position || !lifecycle.isTerminal(position.state.status))
    throw new Error(`${subject.id} has no row with an end status`);
  return position;
}
