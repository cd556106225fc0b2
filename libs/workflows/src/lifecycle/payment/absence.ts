import { isKnown } from './adopted-captures.js';
import type { Capture, PaymentState, ProviderFacts } from './payment.js';
import { isSuperseded } from './reauthorization.js';

/*
 * A resource that a read does not show counts as absent only if the read shows all known resources. An answer may be
 * incomplete, and a repeat because of it would move money twice.
 */

/** Whether a read shows the current authorization and every known capture. */
export function showsWhatIsKnown(state: PaymentState, { authorization, captures }: ProviderFacts): boolean {
  if (!state.authorization) return true;
  // A replaced authorization is shown as voided: then the current one is missing in the answer.
  if (!authorization || isSuperseded(state, authorization.authorizationId)) return false;
  const isCaptured = authorization.state === 'captured' || authorization.state === 'partially_captured';
  if (isCaptured && captures.length === 0) return false;
  return state.captures.every(
    ({ captureId, isOnWord, status }) =>
      // Captures that only an operator has named, and denied ones, need not be shown.
      isOnWord === true || status === 'denied' || captures.some((shown) => shown.captureId === captureId),
  );
}

/** Whether a hold reads as captured, and no capture that is shown explains it: another one is missing in the answer. */
export function lacksCapture(state: PaymentState, { authorization, captures }: ProviderFacts): boolean {
  if (authorization?.state !== 'captured') return false;
  const { authorizationId: present } = authorization;
  const made = captures.filter(
    ({ status, authorizationId = present }) => status !== 'denied' && authorizationId === present,
  );
  const isFinal = ({ captureId, final }: Capture) =>
    final || state.captures.some((known) => known.captureId === captureId && known.final);
  return !made.some(isFinal) && made.reduce((sum, { minor }) => sum + minor, 0) < authorization.minor;
}

/**
 * Whether a read shows a capture of this amount without a known command: it may be the one with the unknown outcome.
 */
export function showsUnclaimedCapture(
  state: PaymentState,
  { captures }: ProviderFacts,
  minor: number,
): boolean {
  return captures.some(
    (shown) => shown.reference === undefined && shown.minor === minor && !isKnown(state, shown),
  );
}
