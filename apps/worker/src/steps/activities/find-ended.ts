import { findPosition } from '#database/transitions';
import type { Position } from '#workflows/lifecycle';
import type { Kind, Work } from './subject-writer.js';

/**
 * Reads the state of an ended subject from its rows. Only a run with its id writes them after the end, and the asking
 * run is the only one.
 */
export async function findEnded<K extends Kind>(
  { context, writer }: Work<K>,
  identity: K['identity'],
): Promise<Position<K['state']>> {
  const { records, lifecycle } = writer;
  const subject = writer.subjectOf(identity);
  const position = await findPosition(context.db, records, subject);
  if (!position || !lifecycle.isTerminal(position.state.status))
    throw new Error(`${subject.id} has no row with an end status`);
  return position;
}
