import type { LifecycleEvent } from '#workflows/lifecycle';
import type { OpenStep, StepEvent, DecidedReview, DecisionRefusal } from '#workflows/lifecycle/step';
import type { LookupResult } from '../lookups/look-up-step.js';

/** What the provider shows under an operator's id: the result of the step, something else, or nothing. */
export type NamedResource<Event> =
  | { readonly kind: 'found'; readonly event: Event | StepEvent }
  /** @param refused 'contradicted_by_provider' if absent. */
  | { readonly kind: 'another'; readonly reason: string; readonly refused?: DecisionRefusal }
  | { readonly kind: 'unreadable' };

/** The event of an accepted decision, or the reason of its refusal. */
export type DecisionResult<Event> =
  { readonly event: Event | StepEvent } | { readonly refused: DecisionRefusal; readonly reason: string };

const unverifiable =
  'The provider cannot be read, so this cannot be checked. Decide again later, or set `unverified`.';
const readRequired =
  'Only the provider can show the result: this cannot be decided until the provider can be read.';

/**
 * Verifies the decision that the step happened.
 *
 * @param seen the result of a lookup by our own references.
 * @param named what the provider shows under the id that the operator gave.
 * @param onWord the event that the operator's word alone allows, if any.
 * @param whyRead why it cannot be decided without a read.
 */
export function verifyHappened<Event extends LifecycleEvent>(
  seen: LookupResult<Event>,
  named: NamedResource<Event>,
  onWord: Event | undefined,
  decided: DecidedReview<string>,
  whyRead = readRequired,
): DecisionResult<Event> {
  const done = eventOfDone(seen);
  if (done) return { event: done };
  if (named.kind === 'found') return { event: named.event };
  if (named.kind === 'another') {
    return { refused: named.refused ?? 'contradicted_by_provider', reason: named.reason };
  }
  const excluded = reasonOfExclusion(seen);
  if (excluded !== undefined) return { refused: 'contradicted_by_provider', reason: excluded };
  if (seen === 'absent') {
    return { refused: 'contradicted_by_provider', reason: 'The provider shows nothing of it.' };
  }
  if (!onWord) return { refused: 'cannot_be_verified', reason: whyRead };
  return decided.isUnverified ? { event: onWord } : { refused: 'cannot_be_verified', reason: unverifiable };
}

/**
 * Verifies the decision that the step did not happen. The step is not repeated, so the decision sends nothing.
 *
 * @param isReadRequired true for a step whose effect nothing would watch: an operator's word is not enough.
 */
export function verifyUndone<Event extends LifecycleEvent>(
  seen: LookupResult<Event>,
  { horizonAt }: OpenStep<unknown>,
  decided: DecidedReview<string>,
  {
    lookedAt,
    isReadRequired,
    whyRead = readRequired,
  }: {
    readonly lookedAt: number;
    readonly isReadRequired: boolean;
    readonly whyRead?: string | undefined;
  },
): DecisionResult<Event> {
  const undone = decidedUndone(decided);
  if (eventOfDone(seen)) {
    return { refused: 'contradicted_by_provider', reason: 'The provider shows that it happened.' };
  }
  // The resource's state excludes it, finally.
  if (typeof seen !== 'string') return undone;
  if (lookedAt < horizonAt) {
    const until = new Date(horizonAt).toISOString();
    return { refused: 'too_early', reason: `The provider may still carry it out, until ${until}.` };
  }
  if (seen === 'absent') return undone;
  // "Declined" with an authorization that nobody watches would be worse than a payment that waits.
  if (isReadRequired) return { refused: 'cannot_be_verified', reason: whyRead };
  return decided.isUnverified ? undone : { refused: 'cannot_be_verified', reason: unverifiable };
}

/**
 * The attempt is recorded as not carried out. Without a decision the run would repeat it. After the decision "it did
 * not happen" it must not, because that decision ends the step.
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

function eventOfDone<Event extends LifecycleEvent>(seen: LookupResult<Event>): Event | StepEvent | undefined {
  return typeof seen === 'string' || seen.type === 'stepDeclined' ? undefined : seen;
}

function reasonOfExclusion(seen: LookupResult<LifecycleEvent>): string | undefined {
  return typeof seen !== 'string' && seen.type === 'stepDeclined' && 'reason' in seen
    ? seen.reason
    : undefined;
}
