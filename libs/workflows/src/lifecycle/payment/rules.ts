import { adoptCapture } from './adopted-captures.js';
import { amountsOf, isOtherAmount } from './amounts.js';
import { withHoldEnd } from './beside-pending.js';
import { moneyText } from '../money.js';
import { type Instant, refuse } from '../lifecycle.js';
import { policyCommandId } from './policy-commands.js';
import { runningStep } from '../step/open-step.js';
import {
  type MoneyStep,
  type PaymentState,
  type PaymentStatus,
  type Warning,
  isSale,
  isTerminal,
} from './payment.js';
import type { TransitionResult, Effect, PaymentEvent } from './event.js';

type EventOf<T extends PaymentEvent['type']> = Extract<PaymentEvent, { type: T }>;

/** Why a hold has ended, by the state that the provider shows. */
export const endings = {
  voided: 'The authorization was voided at the provider.',
  denied: 'The provider denied the authorization.',
  expired: 'The capture window passed.',
} as const;

export const cancelledByPayer = 'The payer cancelled.';
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

/** The provider requires the payer's approval first; the time for it may be over by now. */
export function askPayerAgain(state: PaymentState, _event: unknown, now: Instant): TransitionResult {
  if (state.lapsed) return end(state, 'expired', now, approvalLate);
  return awaitApproval(state, undefined, now);
}

export function beginExecution(state: PaymentState, payerId: string, now: Instant): TransitionResult {
  const status = isSale(state.order) ? 'executing' : 'authorizing';
  return begin(state, status, { type: 'executePayment', payerId }, now);
}

/** The provider holds the funds. An automatic capture follows at once. */
export function hold(
  state: PaymentState,
  granted: EventOf<'authorizationGranted'>,
  now: Instant,
): TransitionResult {
  const { authorization, providerPaymentId, ended, captures = state.captures } = granted;
  const { isCancelWaiting: _late, ...executed } = withoutStep(state);
  const held = { ...executed, providerPaymentId, authorization, captures, lapsed: false };
  if (ended) {
    const read = { ...held, captures: ended.captures };
    // A pending capture outlives its hold: the payment ends only after the capture is final.
    if (amountsOf(read).pending > 0) return moved(afterCaptures(withHoldEnd(read, ended.state), now));
    return moved(released(read, ended.state, now, endings[ended.state]));
  }
  if (isOtherAmount(held)) {
    const reason = 'The provider authorized another amount than was ordered.';
    return moved({ ...enter(held, 'needs_review', now), reason });
  }
  return beginHold(held, now);
}

/** From now on the order's policies act on the hold. */
export function beginHold(state: PaymentState, now: Instant): TransitionResult {
  const held = afterCaptures(state, now);
  const isAutomatic = state.order.capturePolicy.mode === 'automatic';
  if (!isAutomatic || state.orderedCaptureTried || isTerminal(held.status)) return moved(held);
  const command = { commandId: policyCommandId(state.order, 'capture') };
  const tried = { ...held, orderedCaptureTried: true };
  const capture = beginCapture(tried, command, now);
  // The hold is recorded even if it came too late for a capture.
  return capture.kind === 'moved' ? capture : moved(tried);
}

export function beginCapture(
  state: PaymentState,
  request: { commandId: string; minor?: number; final?: boolean },
  now: Instant,
): TransitionResult {
  const { capturable, pending } = amountsOf(state);
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
  // A pending capture may be denied. Then its amount can be captured again, if the hold is still open.
  const final = request.final ?? (minor === capturable && pending === 0);
  return begin(
    state,
    'capturing',
    { type: 'captureAuthorization', commandId: request.commandId, minor, final },
    now,
  );
}

export function finishCapture(
  state: PaymentState,
  { capture, shown = [] }: EventOf<'captureAnswered'>,
  now: Instant,
): TransitionResult {
  const own = [...state.captures.filter(({ captureId }) => captureId !== capture.captureId), capture];
  const captures = shown.reduce(adoptCapture, own);
  return moved(afterCaptures({ ...withoutStep(state), captures }, now));
}

/** The status after captures; `captured` only if none of them is pending. */
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

/** Releases the rest of a partially captured hold. For an uncaptured hold the command is a void. */
export function beginRelease(state: PaymentState, commandId: string, now: Instant): TransitionResult {
  return begin(state, 'voiding', { type: 'voidAuthorization', commandId, isRelease: true }, now);
}

/** A void releases what was not captured. Captures stay, whoever made them. */
export function finishVoid(
  state: PaymentState,
  { shown = [] }: EventOf<'voidConfirmed'>,
  now: Instant,
): TransitionResult {
  const ended = { ...withoutStep(state), captures: shown.reduce(adoptCapture, state.captures) };
  // A pending capture decides how the payment ends, so it is read further; in older orders one that was not known.
  const known = state.order.holdsRest ? 0 : amountsOf(state).pending;
  if (amountsOf(ended).pending > known) return moved(enter(withHoldEnd(ended, 'voided'), 'capturing', now));
  return moved(released(ended, 'voided', now));
}

/** Ends a hold. The captured part, if any, decides the payment's status. */
export function released(
  state: PaymentState,
  empty: 'voided' | 'expired' | 'declined',
  now: Instant,
  reason?: string,
): PaymentState {
  const status = amountsOf(state).captured > 0 ? 'captured' : empty;
  return { ...enter(state, status, now), released: true, ...(reason !== undefined && { reason }) };
}

/** The window ends soon and a rest is uncaptured: the expiry policy acts once. */
export function applyExpiryPolicy(state: PaymentState, _event: unknown, now: Instant): TransitionResult {
  const tried = { ...state, settlementTried: true };
  const commandId = policyCommandId(state.order, 'expiry');
  switch (state.order.expiryPolicy.action) {
    case 'capture':
      return beginCapture(tried, { commandId }, now);
    case 'void':
      return beginVoid(tried, commandId, now);
    case 'expire':
      return moved(tried);
  }
}

export function warn(state: PaymentState, warning: Warning): TransitionResult {
  return moved({ ...state, warning });
}

/** The warning about the window's end is more urgent and is kept. */
export function warnOfHonour(state: PaymentState, honourStage: 'ending' | 'ended'): TransitionResult {
  const warning =
    state.warning === 'capture_window_ending' ? state.warning : (`honour_period_${honourStage}` as const);
  // While the first hold is current, the warning itself shows the stage.
  return moved({ ...state, warning, ...(state.honourStage && { honourStage }) });
}

/** The guarantee of the funds ends soon: captures everything that can be captured, once per hold. */
export function captureInHonourPeriod(state: PaymentState, _event: unknown, now: Instant): TransitionResult {
  const held = (state.reauthorizations?.earlier.length ?? 0) + 1;
  const commandId = policyCommandId(state.order, 'honour', held);
  return beginCapture({ ...state, honourCaptureTried: true }, { commandId }, now);
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
    { ...enterFirst(state, status, now), stepsBegun, openStep: runningStep(stepsBegun, step, now) },
    { type: 'perform', step },
  );
}

/** A reason explains one status, so it is removed when the status changes. */
export function enter(state: PaymentState, status: PaymentStatus, now: Instant): PaymentState {
  return status === state.status ? state : enterFirst(state, status, now);
}

/** A step is a beginning also if the status stays: a capture beside a pending one. */
function enterFirst(state: PaymentState, status: PaymentStatus, now: Instant): PaymentState {
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

/** Records a contradiction once, however often it is read. */
export function contradict(state: PaymentState, contradiction: string): TransitionResult {
  if (contradiction === state.contradiction) return { kind: 'stale', state };
  return { kind: 'conflict', state: { ...state, contradiction }, reason: contradiction };
}
