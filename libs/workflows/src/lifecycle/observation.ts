import { amountsOf } from './amounts.js';
import type { Capture, Decision, Instant, PaymentState, ProviderFacts } from './payment.js';
import { afterCaptures, beginExecution, end, hold, moved, released } from './rules.js';

/** What a read tells of a payment that waits for its payer. */
export function observeApproval(state: PaymentState, facts: ProviderFacts, now: Instant): Decision {
  const { authorization, paymentState, payerId } = facts;
  if (authorization && state.providerPaymentId !== undefined) {
    return hold(
      state,
      { type: 'authorizationGranted', providerPaymentId: state.providerPaymentId, authorization },
      now,
    );
  }
  if (paymentState === 'failed') return end(state, 'declined', now, 'The provider declined the payment.');
  // An approval that nobody told us of: the payer closed the tab, the webhook was lost.
  if (payerId !== undefined) return beginExecution(state, payerId, now);
  if (state.lapsed) return end(state, 'expired', now, 'The payer did not approve in time.');
  return { kind: 'stale', state };
}

/** What a read tells of a hold, or of a capture that the provider had not settled yet. */
export function observeHold(state: PaymentState, facts: ProviderFacts, now: Instant): Decision {
  const { authorization } = facts;
  if (state.openStep || !authorization) return { kind: 'stale', state };
  const contradiction = amountContradiction(state, facts);
  if (contradiction !== undefined) return { kind: 'conflict', state, reason: contradiction };

  const captures = facts.captures.reduce(adoptCapture, state.captures);
  const adopted = { ...state, captures };
  const pending = amountsOf(adopted).pending > 0;
  if (!pending && authorization.state === 'voided') {
    return moved(released(adopted, 'voided', now, 'The authorization was voided at the provider.'));
  }
  if (!pending && authorization.state === 'denied') {
    return moved(released(adopted, 'declined', now, 'The provider denied the authorization.'));
  }
  const windowPassed =
    state.lapsed && state.authorization !== undefined && now >= state.authorization.validUntil;
  if (!pending && (authorization.state === 'expired' || windowPassed)) {
    return moved(released(adopted, 'expired', now, 'The capture window passed.'));
  }
  if (sameCaptures(captures, state.captures)) return { kind: 'stale', state };
  return moved(afterCaptures(adopted, now));
}

/** A payment that has ended stays as it ended; what the provider shows against that is recorded, not followed. */
export function contradictionIn(state: PaymentState, facts: ProviderFacts): Decision {
  const shown = facts.captures.reduce(
    (sum, { status, minor }) => (status === 'completed' ? sum + minor : sum),
    0,
  );
  const { captured } = amountsOf(state);
  if (shown === captured) return { kind: 'stale', state };
  return {
    kind: 'conflict',
    state,
    reason: `The provider shows ${shown} minor units captured, the payment ended with ${captured}.`,
  };
}

function amountContradiction(
  state: PaymentState,
  { authorization, captures }: ProviderFacts,
): string | undefined {
  const known = state.authorization;
  if (
    known &&
    authorization?.authorizationId === known.authorizationId &&
    authorization.minor !== known.minor
  ) {
    return `Authorization ${known.authorizationId} now shows another amount.`;
  }
  const changed = captures.find(({ captureId, minor }) =>
    state.captures.some((mine) => mine.captureId === captureId && mine.minor !== minor),
  );
  return changed && `Capture ${changed.captureId} now shows another amount.`;
}

function adoptCapture(
  captures: readonly Capture[],
  shown: ProviderFacts['captures'][number],
): readonly Capture[] {
  const { reference: _ours, ...fact } = shown;
  const mine = captures.find(({ captureId }) => captureId === fact.captureId);
  if (!mine) return [...captures, fact];
  // A settled capture does not become pending again because a read lags behind.
  if (mine.status !== 'pending') return captures;
  return captures.map((capture) => (capture === mine ? { ...mine, status: fact.status } : capture));
}

function sameCaptures(one: readonly Capture[], other: readonly Capture[]): boolean {
  return (
    one.length === other.length &&
    one.every(
      (capture, i) => capture.captureId === other[i]?.captureId && capture.status === other[i]?.status,
    )
  );
}
