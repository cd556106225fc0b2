import type { LifecycleEvent } from '#workflows/lifecycle';
import type { OpenStep, StepEvent, DecidedReview, DecisionRefusal } from '#workflows/lifecycle/step';
import type { Look } from './look-up-step.js';

/** What the provider shows under an id that an operator gave: what the step made, something else, or nothing. */
export type NamedResource<Event> =
  | { readonly kind: 'found'; readonly event: Event | StepEvent }
  | { readonly kind: 'another'; readonly reason: string }
  | { readonly kind: 'unreadable' };

/** Whether an operator's decision is taken, and as which event, or why it is not. */
export type DecisionResult<Event> =
  { readonly event: Event | StepEvent } | { readonly refused: DecisionRefusal; readonly reason: string };

const unverifiable =
  'The provider cannot be read, so this cannot be checked. Decide again when it can be, or say that it is unverified.';
const readRequired =
  'Only the provider can tell what was made: this cannot be decided before it can be read.';

/**
 * The step is said to have happened.
 *
 * @param seen what a look by our own references shows.
 * @param named what the provider shows under the id that the operator gave.
 * @param onWord what the operator's word alone can stand for, if anything.
 */
export function verifyHappened<Event extends LifecycleEvent>(
  seen: Look<Event>,
  named: NamedResource<Event>,
  onWord: Event | undefined,
  decided: DecidedReview<string>,
): DecisionResult<Event> {
  const done = eventOfDone(seen);
  if (done) return { event: done };
  if (named.kind === 'found') return { event: named.event };
  if (named.kind === 'another') return { refused: 'contradicted_by_provider', reason: named.reason };
  const excluded = reasonOfExclusion(seen);
  if (excluded !== undefined) return { refused: 'contradicted_by_provider', reason: excluded };
  if (seen === 'absent') {
    return { refused: 'contradicted_by_provider', reason: 'The provider shows nothing of it.' };
  }
  if (!onWord) return { refused: 'cannot_be_verified', reason: readRequired };
  return decided.isUnverified ? { event: onWord } : { refused: 'cannot_be_verified', reason: unverifiable };
}

/**
 * The step is said not to have happened. It is not repeated, so nothing is sent on the strength of this.
 *
 * @param isReadRequired for a step whose effect nobody would mind: an operator's word is not enough.
 */
export function verifyUndone<Event extends LifecycleEvent>(
  seen: Look<Event>,
  { horizonAt }: OpenStep<unknown>,
  decided: DecidedReview<string>,
  { lookedAt, isReadRequired }: { readonly lookedAt: number; readonly isReadRequired: boolean },
): DecisionResult<Event> {
  const undone = decidedUndone(decided);
  if (eventOfDone(seen)) {
    return { refused: 'contradicted_by_provider', reason: 'The provider shows that it happened.' };
  }
  // Excluded by the state of its resource, now and for ever.
  if (typeof seen !== 'string') return undone;
  if (lookedAt < horizonAt) {
    const until = new Date(horizonAt).toISOString();
    return { refused: 'too_early', reason: `The provider may still carry it out, until ${until}.` };
  }
  if (seen === 'absent') return undone;
  // "Declined" over a hold that nobody minds would be worse than a payment that waits.
  if (isReadRequired) return { refused: 'cannot_be_verified', reason: readRequired };
  return decided.isUnverified ? undone : { refused: 'cannot_be_verified', reason: unverifiable };
}

/**
 * The attempt is on record as not carried out. Left to itself the run would repeat it; after an operator's "it did not
 * happen" it must not, for that word ends the step.
 */
export function verifyProvedUndone(decided: DecidedReview<string>): DecisionResult<never> {
  if (decided.decision === 'did_not_happen') return decidedUndone(decided);
  return { refused: 'contradicted_by_provider', reason: 'It is proved that it was not carried out.' };
}

function decidedUndone({ reason }: DecidedReview<string>): { readonly event: StepEvent } {
  return {
    event: { type: 'stepDecidedUndone', reason: `An operator has decided that it did not happen: ${reason}` },
  };
}

function eventOfDone<Event extends LifecycleEvent>(seen: Look<Event>): Event | StepEvent | undefined {
  return typeof seen === 'string' || seen.type === 'stepDeclined' ? undefined : seen;
}

function reasonOfExclusion(seen: Look<LifecycleEvent>): string | undefined {
  return typeof seen !== 'string' && seen.type === 'stepDeclined' && 'reason' in seen
    ? seen.reason
    : undefined;
}
