import { amountsOf, isOtherAmount } from './amounts.js';
import { moneyText } from '../money.js';
import { type Instant, refuse } from '../lifecycle.js';
import { policyCommandId } from './policy-commands.js';
import { runningStep } from '../step/open-step.js';
import {
  type Capture,
  type MoneyStep,
  type PaymentState,
  type PaymentStatus,
  type Warning,
  isSale,
} from './payment.js';
import type { TransitionResult, Effect, PaymentEvent } from './event.js';

type EventOf<T extends PaymentEvent['type']> = Extract<PaymentEvent, { type: T }>;

/** Why a hold is over, where the provider says so. */
export const endings = {
  voided: 'The authorization was voided at the provider.',
  denied: 'The provider denied the authorization.',
  expired: 'The capture window passed.',
} as const;

export const approvalLate = 'The payer did not approve in time.';

export function awaitApproval(
  state: PaymentState,
  created: EventOf<'paymentCreated'> | undefined,
  now: Instant,
): TransitionResult {
  const ids = created && {
    providerPaymentId: created.providerPaymentId,
    approvalUrl: created.approvalUrl,
    ...(created.approvalToken !== undefined && { approvalToken: created.approvalToken }),
  };
  return moved(enter({ ...withoutStep(state), ...ids }, 'awaiting_approval', now));
}

/** The provider wants the payer's approval before it executes; the time for that may have run out meanwhile. */
export function askPayerAgain(state: PaymentState, _event: unknown, now: Instant): TransitionResult {
  if (state.lapsed) return end(state, 'expired', now, approvalLate);
  return awaitApproval(state, undefined, now);
}

export function beginExecution(state: PaymentState, payerId: string, now: Instant): TransitionResult {
  const status = isSale(state.order) ? 'executing' : 'authorizing';
  return begin(state, status, { type: 'executePayment', payerId }, now);
}

/** The provider holds the funds. An automatic capture follows in the same breath. */
export function hold(
  state: PaymentState,
  granted: EventOf<'authorizationGranted'>,
  now: Instant,
): TransitionResult {
  const { authorization, providerPaymentId, ended } = granted;
  const held = { ...withoutStep(state), providerPaymentId, authorization, lapsed: false };
  if (ended) {
    const read = { ...held, captures: ended.captures };
    // A capture that is pending outlives its hold: what comes of it is read before this is called an end.
    if (amountsOf(read).pending > 0) return moved(afterCaptures(read, now));
    return moved(released(read, ended.state, now, endings[ended.state]));
  }
  if (isOtherAmount(held)) {
    const reason = 'The provider authorized another amount than was ordered.';
    return moved({ ...enter(held, 'needs_review', now), reason });
  }
  return beginHold(held, now);
}

/** From here on the order's own policies act on the hold. */
export function beginHold(state: PaymentState, now: Instant): TransitionResult {
  const authorized = enter(state, 'authorized', now);
  if (state.order.capturePolicy.mode !== 'automatic' || state.orderedCaptureTried) return moved(authorized);
  const command = { commandId: policyCommandId(state.order, 'capture') };
  const tried = { ...authorized, orderedCaptureTried: true };
  const capture = beginCapture(tried, command, now);
  // The hold is a fact also where it came too late to be captured.
  return capture.kind === 'moved' ? capture : moved(tried);
}

export function beginCapture(
  state: PaymentState,
  request: { commandId: string; minor?: number; final?: boolean },
  now: Instant,
): TransitionResult {
  const { capturable } = amountsOf(state);
  const minor = request.minor ?? capturable;
  if (state.authorization && now >= state.authorization.validUntil) {
    return refuse(
      state,
      'not_allowed_in_state',
      'The window in which this authorization could be captured has passed.',
    );
  }
  if (minor <= 0 || minor > capturable) {
    const most = moneyText({ minor: capturable, currency: state.order.amount.currency });
    return refuse(state, 'amount_exceeds_capturable', `At most ${most} can be captured.`);
  }
  const final = request.final ?? minor === capturable;
  return begin(
    state,
    'capturing',
    { type: 'captureAuthorization', commandId: request.commandId, minor, final },
    now,
  );
}

export function finishCapture(state: PaymentState, capture: Capture, now: Instant): TransitionResult {
  const captures = [...state.captures.filter(({ captureId }) => captureId !== capture.captureId), capture];
  return moved(afterCaptures({ ...withoutStep(state), captures }, now));
}

/** Where a payment stands once its captures are known; "captured" only when none of them is still pending. */
export function afterCaptures(state: PaymentState, now: Instant): PaymentState {
  const { authorized, captured, pending } = amountsOf(state);
  if (pending > 0) return enter(state, 'capturing', now);
  const closed = state.captures.some(({ status, final }) => status === 'completed' && final);
  if (captured > 0 && (closed || captured >= authorized)) {
    return { ...enter(state, 'captured', now), released: captured < authorized };
  }
  return enter(state, captured > 0 ? 'partially_captured' : 'authorized', now);
}

export function beginVoid(state: PaymentState, commandId: string, now: Instant): TransitionResult {
  return begin(state, 'voiding', { type: 'voidAuthorization', commandId }, now);
}

/** Gives back what is left of a hold of which a part was captured. A whole hold is voided, and that is another wish. */
export function beginRelease(state: PaymentState, commandId: string, now: Instant): TransitionResult {
  return begin(state, 'voiding', { type: 'voidAuthorization', commandId, isRelease: true }, now);
}

/** Voiding releases what was not captured; what was captured stays captured. */
export function finishVoid(state: PaymentState, now: Instant): TransitionResult {
  return moved(released(withoutStep(state), 'voided', now));
}

/** Ends a hold: the captured part, if any, decides what the payment is called from now on. */
export function released(
  state: PaymentState,
  empty: 'voided' | 'expired' | 'declined',
  now: Instant,
  reason?: string,
): PaymentState {
  const status = amountsOf(state).captured > 0 ? 'captured' : empty;
  return { ...enter(state, status, now), released: true, ...(reason !== undefined && { reason }) };
}

/** The window is about to close on an uncaptured rest: the order's expiry policy acts, once. */
export function applyExpiryPolicy(state: PaymentState, _event: unknown, now: Instant): TransitionResult {
  const tried = { ...state, settlementTried: true };
  const commandId = policyCommandId(state.order, 'expiry');
  switch (state.order.expiryPolicy.action) {
    case 'capture':
      return beginCapture(tried, { commandId, final: true }, now);
    case 'void':
      return beginVoid(tried, commandId, now);
    case 'expire':
      return moved(tried);
  }
}

export function warn(state: PaymentState, warning: Warning): TransitionResult {
  return moved({ ...state, warning });
}

/** That the window closes is the more urgent warning, and stays. */
export function warnOfHonour(state: PaymentState, honourStage: 'ending' | 'ended'): TransitionResult {
  const warning =
    state.warning === 'capture_window_ending' ? state.warning : (`honour_period_${honourStage}` as const);
  // Told by the warning itself as long as the first hold stands.
  return moved({ ...state, warning, ...(state.honourStage && { honourStage }) });
}

/** The funds will soon not be guaranteed any more: what can be captured of them is, once for each hold. */
export function captureInHonourPeriod(state: PaymentState, _event: unknown, now: Instant): TransitionResult {
  const held = (state.reauthorizations?.earlier.length ?? 0) + 1;
  const commandId = policyCommandId(state.order, 'honour', held);
  return beginCapture({ ...state, honourCaptureTried: true }, { commandId }, now);
}

/** The read that a hint or deadline called for told nothing; it is made up for by a poll. */
export function oweRead(state: PaymentState): TransitionResult {
  return moved({ ...state, readOwed: true });
}

/** A webhook is a hint and a deadline a suspicion; what the provider shows decides. */
export function observe(state: PaymentState, now: Instant): TransitionResult {
  return moved({ ...state, polls: state.polls + 1, lastPollAt: now, readOwed: false }, { type: 'observe' });
}

/** The same upon a hint; a check leaves the waits between polls as they are. */
export function takeHint(
  state: PaymentState,
  { isCheck }: EventOf<'providerNotified'>,
  now: Instant,
): TransitionResult {
  return isCheck ? moved({ ...state, readOwed: false }, { type: 'observe' }) : observe(state, now);
}

export function end(
  state: PaymentState,
  status: PaymentStatus,
  now: Instant,
  reason: string,
): TransitionResult {
  return moved({ ...enter(withoutStep(state), status, now), reason });
}

export function begin(
  state: PaymentState,
  status: PaymentStatus,
  step: MoneyStep,
  now: Instant,
): TransitionResult {
  const stepsBegun = state.stepsBegun + 1;
  return moved(
    { ...enter(state, status, now), stepsBegun, openStep: runningStep(stepsBegun, step, now) },
    { type: 'perform', step },
  );
}

/** The reason for standing where it stood goes with the status that it explained. */
export function enter(state: PaymentState, status: PaymentStatus, now: Instant): PaymentState {
  if (status === state.status) return state;
  const { reason: _past, ...rest } = state;
  return { ...rest, status, polls: 0, lastPollAt: now };
}

export function withoutStep(state: PaymentState): PaymentState {
  const { openStep: _finished, ...rest } = state;
  return rest;
}

export function moved(state: PaymentState, effect?: Effect): TransitionResult {
  return effect ? { kind: 'moved', state, effect } : { kind: 'moved', state };
}

/** What the provider shows against what is known is recorded once, however often it is read. */
export function contradict(state: PaymentState, contradiction: string): TransitionResult {
  if (contradiction === state.contradiction) return { kind: 'stale', state };
  return { kind: 'conflict', state: { ...state, contradiction }, reason: contradiction };
}
