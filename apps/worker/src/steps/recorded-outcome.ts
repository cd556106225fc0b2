import type { AttemptRow } from '#database/schema';
import type { ActivityOutcome } from '#workflows/contract';

/** Neither answered nor proved to have done nothing. */
export function isOpen({ outcome }: Pick<AttemptRow, 'outcome'>): boolean {
  return outcome === null || outcome === 'unknown';
}

/**
 * The provider has answered this POST, perhaps long after it was given up for lost and made again. The attempts of a step
 * all ask for the same thing once, so this is what came of the step, whichever of them the run is at.
 */
export function isAnswered({ outcome }: Pick<AttemptRow, 'outcome'>): boolean {
  return outcome === 'answered';
}

/** What is on record of an attempt was written by this lifecycle. */
export function outcomeOnRecord<Event>({ event, settled_at }: AttemptRow): ActivityOutcome<Event> {
  if (!event || !settled_at) throw new Error('an attempt has no recorded outcome');
  return { event: event as Event, at: settled_at.getTime() };
}
