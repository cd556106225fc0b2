import { amountsOf } from './amounts.js';
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
import { followRenewal, lagsBehind } from './reauthorization.js';
import { contradictionInSale, observeSale, takeSale } from './sale.js';
import {
  afterCaptures,
  approvalLate,
  beginExecution,
  contradict,
  end,
  endings,
  enter,
  hold,
  moved,
  released,
} from './rules.js';

const capturedUnseen = 'The provider calls the authorization captured, but shows no capture of it.';

/** What a read tells of a payment that waits for its payer. */
export function observeApproval(state: PaymentState, facts: ProviderFacts, now: Instant): TransitionResult {
  const { authorization, captures, paymentState, payerId, sale } = facts;
  const { providerPaymentId } = state;
  if (sale && providerPaymentId !== undefined) {
    return takeSale(state, { type: 'saleAnswered', providerPaymentId, sale }, now);
  }
  if (authorization) return observeGrant(state, authorization, captures, now);
  if (paymentState === 'failed') return end(state, 'declined', now, 'The provider declined the payment.');
  // An approval that nobody told us of: the payer closed the tab, the webhook was lost.
  if (payerId !== undefined) return beginExecution(state, payerId, now);
  if (state.lapsed) return end(state, 'expired', now, approvalLate);
  return { kind: 'stale', state };
}

/** The payment was executed without our knowing; what its authorization has become since decides. */
function observeGrant(
  state: PaymentState,
  { state: shown, changedAt: _later, ...authorization }: NonNullable<ProviderFacts['authorization']>,
  captures: ProviderFacts['captures'],
  now: Instant,
): TransitionResult {
  const { providerPaymentId } = state;
  if (providerPaymentId === undefined) return { kind: 'stale', state };
  const granted = { type: 'authorizationGranted', providerPaymentId, authorization } as const;
  switch (shown) {
    case 'authorized':
    case 'partially_captured':
    case 'captured':
      // Held, and it does not say until when: that is not "until now". The next read may tell.
      if (authorization.validUntil <= authorization.createdAt) return { kind: 'stale', state };
      return hold(state, granted, now);
    case 'denied':
      return moved(released({ ...state, authorization }, 'declined', now, endings.denied));
    case 'voided':
    case 'expired':
      return hold(
        state,
        { ...granted, ended: { state: shown, captures: captures.reduce(adoptCapture, []) } },
        now,
      );
    default:
      // Pending, or a state that we do not know: the provider is still deciding.
      return { kind: 'stale', state };
  }
}

/** What a read tells of a hold, or of a capture that was pending. */
export function observeHold(state: PaymentState, facts: ProviderFacts, now: Instant): TransitionResult {
  const { authorization } = facts;
  if (state.openStep || !authorization) return { kind: 'stale', state };
  const isOver = isEndOf(state, authorization);
  if (!isOver && lagsBehind(state, authorization)) return { kind: 'stale', state };
  const held = followRenewal(state, authorization);
  const contradiction = contradictionWith(held, authorization, facts.captures);
  if (contradiction !== undefined && !isOver) return contradict(state, contradiction);

  const captures = facts.captures.reduce(adoptCapture, held.captures);
  const adopted = afterCaptures({ ...held, captures }, now);
  if (isTerminal(adopted.status)) return moved(adopted);
  if (amountsOf(adopted).pending === 0) {
    const ended = endOfHold({ ...held, captures }, authorization.state, now);
    if (ended) return moved(ended);
  }
  return held === state && sameCaptures(captures, state.captures) ? { kind: 'stale', state } : moved(adopted);
}

/**
 * A person is asked about this hold. What that person does about it at the provider may end the review; short of an
 * end the payment waits on, so that no policy acts on a hold that is not what was ordered.
 */
export function observeReviewed(state: PaymentState, facts: ProviderFacts, now: Instant): TransitionResult {
  if (isSale(state.order)) return observeSale(state, facts, now);
  const seen = observeHold(state, facts, now);
  if (seen.kind !== 'moved' || isTerminal(seen.state.status)) return seen;
  const { captures } = seen.state;
  return sameCaptures(captures, state.captures) ? { kind: 'stale', state } : moved({ ...state, captures });
}

/** Our hold has ended, whatever else the read says against what is known: what is held no more is never held again. */
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
  // Money has moved, though no capture is shown: that is no expiry.
  if (shown === 'captured' && amountsOf(state).captured === 0) {
    return { ...enter(state, 'needs_review', now), reason: capturedUnseen };
  }
  return released(state, 'expired', now, endings.expired);
}

/**
 * The provider's word ends a hold, not our clock: its own may be behind. A provider that still shows a hold one of its
 * days after the window's end will not say it any more.
 */
function providerHasCaughtUpAt(authorization: Authorization): Instant {
  return authorization.validUntil + dayLengthOf(authorization);
}

/** A payment that has ended stays as it ended; what the provider shows against that is recorded, not followed. */
export function contradictionIn(state: PaymentState, facts: ProviderFacts): TransitionResult {
  if (isSale(state.order)) return contradictionInSale(state, facts);
  // Without the hold that it was, a read shows nothing of its captures either.
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

/** By the provider: what an operator has said of it is not. */
function isFinal({ status, isOnWord }: Pick<Capture, 'status' | 'isOnWord'>): boolean {
  return status !== 'pending' && isOnWord !== true;
}

function adoptCapture(
  captures: readonly Capture[],
  shown: ProviderFacts['captures'][number],
): readonly Capture[] {
  const { reference: _ours, ...fact } = shown;
  const mine = captures.find(({ captureId }) => captureId === fact.captureId);
  if (!mine) return [...captures.filter((capture) => !isMistaken(capture, fact)), fact];
  // A final capture does not become pending again because a read lags behind.
  if (isFinal(mine)) return captures;
  const { isOnWord: _seenByNow, ...seen } = mine;
  return captures.map((capture) => (capture === mine ? { ...seen, status: fact.status } : capture));
}

/** An operator named another id for what a command had made, on word alone: one movement, not two. */
function isMistaken({ isOnWord, commandId }: Capture, shown: Capture): boolean {
  return isOnWord === true && commandId !== undefined && commandId === shown.commandId;
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
