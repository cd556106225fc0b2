import type { AttemptRow } from '#database/schema';
import type { ActivityOutcome } from '#workflows/contract';

/** True while the attempt is neither answered nor proved undone. */
export function isOpen({ outcome }: Pick<AttemptRow, 'outcome'>): boolean {
  return outcome === null || outcome === 'unknown';
}

/**
 * The provider has answered this POST, perhaps long after it was given up and repeated. All attempts of a step ask for
 * the same operation once, so this is the step's outcome, whichever attempt the run is at.
 */
export function isAnswered({ outcome }: Pick<AttemptRow, 'outcome'>): boolean {
  return outcome === 'answered';
}

/** The recorded outcome of an attempt was written by this lifecycle. */
export function outcomeOnRecord<Event>({ event, settled_at }: AttemptRow): ActivityOutcome<Event> {
  if (!event || !settled_at) throw new Error('an attempt has no recorded outcome');
  return { event: event as Event, at: settled_at.getTime() };
}
