import type { AttemptRow } from '#database/schema.js';
import type { ActivityOutcome } from '#workflows/contract/run.js';
import type { LifecycleEvent } from '#workflows/lifecycle/lifecycle.js';
import type { StepOf } from '#workflows/lifecycle/step/open-step.js';
import type { SteppingState } from '#workflows/lifecycle/step/step-rules.js';
import type { Work } from './bookkeeping.js';
import type { MappedFailure } from './error-mapping.js';

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

/** Begun, and no outcome recorded: its process died, or still waits for the answer. Only a lookup can tell. */
export function inDoubt<
  Identity,
  State extends SteppingState<Step>,
  Event extends LifecycleEvent,
  Step extends StepOf,
>({ books }: Work<Identity, State, Event, Step>, attempt: AttemptRow, state: State): MappedFailure {
  const horizonAt = attempt.send_by.getTime() + books.waitPolicyOf(state).outcomeHorizonMs;
  return { outcome: 'unknown', event: { type: 'outcomeUnknown', horizonAt } };
}
