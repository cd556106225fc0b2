import type { PaymentState, ProviderFacts } from './payment.js';
import { isSuperseded } from './reauthorization.js';

/*
 * What a read does not show is absent only where it shows everything else that it must: an answer may be cut short, and
 * a repeat on the strength of one would move money twice.
 */

/** Whether a read shows the hold that lives, and every capture that is known. */
export function showsWhatIsKnown(state: PaymentState, { authorization, captures }: ProviderFacts): boolean {
  if (!state.authorization) return true;
  // One whose place another has taken is shown voided: the one that lives was left out.
  if (!authorization || isSuperseded(state, authorization.authorizationId)) return false;
  const isCaptured = authorization.state === 'captured' || authorization.state === 'partially_captured';
  if (isCaptured && captures.length === 0) return false;
  return state.captures.every(
    ({ captureId, isOnWord, status }) =>
      // Named by a person, or none at all.
      isOnWord === true || status === 'denied' || captures.some((shown) => shown.captureId === captureId),
  );
}

/** Whether a read shows a capture of this amount that nobody is known to have asked for: it may be the one in doubt. */
export function showsUnclaimedCapture(
  state: PaymentState,
  { captures }: ProviderFacts,
  minor: number,
): boolean {
  return captures.some(
    (shown) => shown.reference === undefined && shown.minor === minor && !isKnown(state, shown),
  );
}

/** False where somebody has captured elsewhere, and nothing of it is in our records yet. */
export function showsOnlyKnownCaptures(state: PaymentState, { captures }: ProviderFacts): boolean {
  return captures.every((shown) => isKnown(state, shown));
}

function isKnown({ captures }: PaymentState, { captureId }: ProviderFacts['captures'][number]): boolean {
  return captures.some((known) => known.captureId === captureId);
}
