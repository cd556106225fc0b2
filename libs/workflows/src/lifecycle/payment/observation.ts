import { adoptCapture, isFinal } from './adopted-captures.js';
import { amountsOf } from './amounts.js';
import { withHoldEnd } from './beside-pending.js';
import { dayLengthOf } from './deadlines.js';
import { moneyText } from '../money.js';
import type { Instant } from '../lifecycle.js';
import {
  type Authorization,
  type Capture,
  type PaymentState,
  type ProviderFacts,
  isSale,
  isTerminal,
} from './payment.js';
import type { TransitionResult } from './event.js';
import { followReauthorization, lagsBehind } from './reauthorization.js';
import { contradictionInSale, observeSale, takeSale } from './sale.js';
import {
  afterCaptures,
  approvalLate,
  beginExecution,
  cancelledByPayer,
  contradict,
  end,
  endings,
  enter,
  hold,
  moved,
  released,
} from './rules.js';

const capturedUnseen = 'The provider calls the authorization captured, but shows no capture of it.';

/** Takes a read of a payment that waits for approval. */
export function observeApproval(state: PaymentState, facts: ProviderFacts, now: Instant): TransitionResult {
  const { authorization, captures, paymentState, payerId, sale } = facts;
  const { providerPaymentId } = state;
  if (sale && providerPaymentId !== undefined) {
    return takeSale(state, { type: 'saleAnswered', providerPaymentId, sale }, now);
  }
  if (authorization) return observeGrant(state, authorization, captures, now);
  if (paymentState === 'failed') return end(state, 'declined', now, 'The provider declined the payment.');
  // The approval that it shows came before the cancellation that an execution has left behind.
  if (payerId !== undefined && state.isCancelWaiting) return end(state, 'cancelled', now, cancelledByPayer);
  // An approval without a message: the payer closed the tab and the webhook was lost.
  if (payerId !== undefined) return beginExecution(state, payerId, now);
  if (state.lapsed) return end(state, 'expired', now, approvalLate);
  return { kind: 'stale', state };
}

/** The payment was executed without our knowledge; the current state of its authorization decides. */
function observeGrant(
  state: PaymentState,
  { state: shown, changedAt: _later, ...authorization }: NonNullable<ProviderFacts['authorization']>,
  captures: ProviderFacts['captures'],
  now: Instant,
): TransitionResult {
  const { providerPaymentId } = state;
  if (providerPaymentId === undefined) return { kind: 'stale', state };
  const made = captures.reduce(adoptCapture, []);
  // A worker that lost its task may have made one of ours: its step begins again and finds it.
  const byOthers = made.filter(({ commandId }) => commandId === undefined);
  const granted = { type: 'authorizationGranted', providerPaymentId, authorization } as const;
  switch (shown) {
    case 'authorized':
    case 'partially_captured':
    case 'captured':
      // The authorization has no end instant. That does not mean that it has ended; the next read may show it.
      if (authorization.validUntil <= authorization.createdAt) return { kind: 'stale', state };
      return hold(state, { ...granted, ...(byOthers.length > 0 && { captures: byOthers }) }, now);
    case 'denied':
      return moved(released({ ...state, authorization }, 'declined', now, endings.denied));
    case 'voided':
    case 'expired':
      return hold(state, { ...granted, ended: { state: shown, captures: made } }, now);
    default:
      // Pending or an unknown state: the provider is still deciding.
      return { kind: 'stale', state };
  }
}

/** Takes a read of a hold or of a pending capture. */
export function observeHold(state: PaymentState, facts: ProviderFacts, now: Instant): TransitionResult {
  const { authorization } = facts;
  if (state.openStep || !authorization) return { kind: 'stale', state };
  const isOver = isEndOf(state, authorization);
  if (!isOver && lagsBehind(state, authorization)) return { kind: 'stale', state };
  const held = followReauthorization(state, authorization);
  const contradiction = contradictionWith(held, authorization, facts.captures);
  if (contradiction !== undefined && !isOver) return contradict(state, contradiction);

  const captures = facts.captures.reduce(adoptCapture, held.captures);
  const read = endedBesidePending({ ...held, captures }, authorization.state);
  const adopted = afterCaptures(read, now);
  if (isTerminal(adopted.status)) return moved(adopted);
  if (amountsOf(adopted).pending === 0) {
    const ended = endOfHold(read, read.holdEnd ?? authorization.state, now);
    if (ended) return moved(ended);
  }
  const isSame = held === state && read.holdEnd === state.holdEnd && sameCaptures(captures, state.captures);
  return isSame ? { kind: 'stale', state } : moved(adopted);
}

/** A hold that has ended does not come back, even if a later read lags; a pending capture of it is read further. */
function endedBesidePending(state: PaymentState, shown: string): PaymentState {
  if (state.holdEnd || amountsOf(state).pending === 0) return state;
  return shown === 'voided' || shown === 'expired' || shown === 'denied' ? withHoldEnd(state, shown) : state;
}

/**
 * Takes a read of a hold under review. An operator's action at the provider may end the hold and so the review.
 * Otherwise the payment stays under review, so that no policy acts on a hold with another amount.
 */
export function observeReviewed(state: PaymentState, facts: ProviderFacts, now: Instant): TransitionResult {
  if (isSale(state.order)) return observeSale(state, facts, now);
  const seen = observeHold(state, facts, now);
  if (seen.kind !== 'moved' || isTerminal(seen.state.status)) return seen;
  const { captures } = seen.state;
  return sameCaptures(captures, state.captures) ? { kind: 'stale', state } : moved({ ...state, captures });
}

/**
 * True if our hold has ended, even if the read contradicts our records in other ways: an ended hold never comes back.
 */
function isEndOf(
  { authorization: known }: PaymentState,
  { authorizationId, state, changedAt }: NonNullable<ProviderFacts['authorization']>,
): boolean {
  const isOurs = authorizationId === known?.authorizationId && changedAt !== undefined;
  return isOurs && (state === 'voided' || state === 'denied' || state === 'expired');
}

function endOfHold(state: PaymentState, shown: string, now: Instant): PaymentState | undefined {
  if (shown === 'voided') return released(state, 'voided', now, endings.voided);
  if (shown === 'denied') return released(state, 'declined', now, endings.denied);
  if (shown === 'expired') return released(state, 'expired', now, endings.expired);
  if (!state.authorization || now < providerHasCaughtUpAt(state.authorization)) return undefined;
  // Money has moved although no capture is shown: that is not an expiry.
  if (shown === 'captured' && amountsOf(state).captured === 0) {
    return { ...enter(state, 'needs_review', now), reason: capturedUnseen };
  }
  return released(state, 'expired', now, endings.expired);
}

/**
 * The provider ends a hold, not our clock: its clock may be behind. If it still shows the hold one provider day after
 * the window's end, it will not show the end any more.
 */
function providerHasCaughtUpAt(authorization: Authorization): Instant {
  return authorization.validUntil + dayLengthOf(authorization);
}

/** An ended payment does not change. A contradicting read is recorded, not followed. */
export function contradictionIn(state: PaymentState, facts: ProviderFacts): TransitionResult {
  if (isSale(state.order)) return contradictionInSale(state, facts);
  // A read without the hold does not show its captures either.
  if (state.authorization && !facts.authorization) return { kind: 'stale', state };
  const shown = facts.captures.reduce(
    (sum, { status, minor }) => (status === 'completed' ? sum + minor : sum),
    0,
  );
  const { captured } = amountsOf(state);
  if (shown === captured) return { kind: 'stale', state };
  const { currency } = state.order.amount;
  const show = (minor: number): string => moneyText({ minor, currency });
  return contradict(
    state,
    `The provider shows ${show(shown)} captured, the payment ended with ${show(captured)}.`,
  );
}

function contradictionWith(
  state: PaymentState,
  authorization: Authorization,
  captures: ProviderFacts['captures'],
): string | undefined {
  const known = state.authorization;
  if (known && authorization.authorizationId !== known.authorizationId) {
    return `The payment now shows authorization ${authorization.authorizationId} instead of ${known.authorizationId}.`;
  }
  if (known && authorization.minor !== known.minor) {
    return `Authorization ${known.authorizationId} now shows another amount.`;
  }
  for (const shown of captures) {
    const mine = state.captures.find(({ captureId }) => captureId === shown.captureId);
    if (mine && mine.minor !== shown.minor) return `Capture ${shown.captureId} now shows another amount.`;
    if (mine && isFinal(mine) && isFinal(shown) && mine.status !== shown.status) {
      return `Capture ${shown.captureId} was ${mine.status} and is now shown as ${shown.status}.`;
    }
  }
  return undefined;
}

function sameCaptures(one: readonly Capture[], other: readonly Capture[]): boolean {
  return (
    one.length === other.length &&
    one.every(
      ({ captureId, status, isOnWord }, i) =>
        captureId === other[i]?.captureId && status === other[i]?.status && isOnWord === other[i]?.isOnWord,
    )
  );
}
