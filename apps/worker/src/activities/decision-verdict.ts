import type {
  DecidedReview,
  DecisionRefusal,
  MoneyStep,
  OpenStep,
  PaymentEvent,
} from '../../../../libs/workflows/src/lifecycle/payment.js';
import type { Look } from './look-up-outcome.js';
import type { NamedResource } from './find-named-resource.js';

/** Whether an operator's decision is taken, and as which event, or why it is not. */
export type Verdict =
  { readonly event: PaymentEvent } | { readonly refused: DecisionRefusal; readonly reason: string };

const unverifiable =
  'The provider cannot be read, so this cannot be checked. Decide again when it can be, or say that it is unverified.';
const readRequired =
  'Only the provider can tell what was made: this cannot be decided before it can be read.';

/**
 * The step is said to have happened.
 *
 * @param seen what a look by our own references shows.
 * @param named what the provider shows under the id that the operator gave.
 */
export function judgeHappened(
  seen: Look,
  named: NamedResource,
  step: MoneyStep | undefined,
  decided: DecidedReview,
): Verdict {
  const done = eventOfDone(seen);
  if (done) return { event: done };
  if (named.kind === 'found') return { event: named.event };
  if (named.kind === 'another') return { refused: 'contradicted_by_provider', reason: named.reason };
  if (typeof seen !== 'string' && seen.type === 'stepDeclined') {
    return { refused: 'contradicted_by_provider', reason: seen.reason };
  }
  if (seen === 'absent') {
    return { refused: 'contradicted_by_provider', reason: 'The provider shows nothing of it.' };
  }
  const onWord = step && eventOnWord(step, decided);
  if (!onWord) return { refused: 'cannot_be_verified', reason: readRequired };
  return decided.isUnverified ? { event: onWord } : { refused: 'cannot_be_verified', reason: unverifiable };
}

/** The step is said not to have happened. It is not repeated, so nothing is sent on the strength of this. */
export function judgeUndone(
  seen: Look,
  { step, horizonAt }: OpenStep,
  decided: DecidedReview,
  lookedAt: number,
): Verdict {
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
  if (step.type === 'createPayment' || step.type === 'executePayment') {
    return { refused: 'cannot_be_verified', reason: readRequired };
  }
  return decided.isUnverified ? undone : { refused: 'cannot_be_verified', reason: unverifiable };
}

/**
 * The attempt is on record as not carried out. Left to itself the run would repeat it; after an operator's "it did not
 * happen" it must not, for that word ends the step.
 */
export function judgeProvedUndone(decided: DecidedReview): Verdict {
  if (decided.decision === 'did_not_happen') return decidedUndone(decided);
  return { refused: 'contradicted_by_provider', reason: 'It is proved that it was not carried out.' };
}

function decidedUndone({ reason }: DecidedReview): Verdict & { readonly event: PaymentEvent } {
  return {
    event: { type: 'stepDecidedUndone', reason: `An operator has decided that it did not happen: ${reason}` },
  };
}

function eventOfDone(seen: Look): PaymentEvent | undefined {
  return typeof seen === 'string' || seen.type === 'stepDeclined' ? undefined : seen;
}

/** What an operator's word alone can stand for: no ids are needed of a void, and of a capture just its own. */
function eventOnWord(step: MoneyStep, { resourceId }: DecidedReview): PaymentEvent | undefined {
  if (step.type === 'voidAuthorization') return { type: 'voidConfirmed' };
  if (step.type !== 'captureAuthorization' || resourceId === undefined) return undefined;
  const { minor, final, commandId } = step;
  return {
    type: 'captureAnswered',
    capture: { captureId: resourceId, minor, final, commandId, status: 'completed', isOnWord: true },
  };
}
