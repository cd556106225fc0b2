import { isKnown } from './adopted-captures.js';
import { amountsOf, statusOfHold } from './amounts.js';
import { dayLengthOf, holdDeadlines } from './deadlines.js';
import type { Authorization, HoldEvent, Reauthorizations } from './hold.js';
import { type Instant, refuse } from '../lifecycle.js';
import { moneyText } from '../money.js';
import type { PaymentState, ProviderFacts } from './payment.js';
import type { TransitionResult } from './event.js';
import { afterCaptures, begin, enter, moved, withoutStep } from './rules.js';
import { isPolicyCommand, policyCommandId } from './policy-commands.js';
import { observe, observeTwice } from './reads.js';

type EventOf<T extends HoldEvent['type']> = Extract<HoldEvent, { type: T }>;
type ShownHold = NonNullable<ProviderFacts['authorization']>;

/** After a failure the policy waits one provider hour, then twice as long each time. */
const hoursPerDay = 24;
/** The provider's limit above the first hold: 15 %, and at most 75 USD. */
const mostAbovePercent = 15;
const mostAboveUsd = 75_00;

export function beginReauthorization(
  state: PaymentState,
  { commandId, minor = amountsOf(state).capturable }: Omit<EventOf<'reauthorizeRequested'>, 'type'>,
  now: Instant,
): TransitionResult {
  const { authorization } = state;
  if (!authorization) return { kind: 'stale', state };
  const { honourUntil, captureUntil } = holdDeadlines(authorization);
  if (now < honourUntil) {
    const from = new Date(honourUntil).toISOString();
    return refuse(
      state,
      'reauthorization_too_soon',
      `The funds are guaranteed, and cannot be reauthorized, until ${from}.`,
    );
  }
  if (now >= captureUntil) {
    return refuse(state, 'not_allowed_in_state', 'The window of this authorization has passed.');
  }
  const most = mostReauthorizable(state, authorization);
  if (minor <= 0 || minor > most) {
    const text = moneyText({ minor: most, currency: state.order.amount.currency });
    return refuse(state, 'amount_exceeds_reauthorizable', `At most ${text} can be reauthorized.`);
  }
  return begin(state, 'reauthorizing', { type: 'reauthorizeAuthorization', commandId, minor }, now);
}

/** The honour period is over: the policy reauthorizes the rest. A refusal here is permanent. */
export function reauthorizeByPolicy(state: PaymentState, now: Instant): TransitionResult {
  const progress = reauthorizationsOf(state);
  const tries = progress.tries + 1;
  const tried = { ...state, reauthorizations: { ...progress, tries, isOver: true } };
  const commandId = policyCommandId(state.order, 'reauthorization', tries);
  const begun = beginReauthorization(tried, { commandId }, now);
  return begun.kind === 'moved' ? begun : moved(tried);
}

/**
 * What can be reauthorized besides what was captured: together at most 115 % of the first hold, by the provider's rule.
 */
function mostReauthorizable(state: PaymentState, { minor }: Authorization): number {
  const first = reauthorizationsOf(state).earlier[0]?.minor ?? minor;
  const share =
    Math.floor(first / 100) * mostAbovePercent + Math.floor(((first % 100) * mostAbovePercent) / 100);
  // In other currencies the limit of 75 USD depends on rates that only the provider knows.
  const above = state.order.amount.currency === 'USD' ? Math.min(share, mostAboveUsd) : share;
  const { captured, pending } = amountsOf(state);
  return Math.max(0, first + above - captured - pending);
}

/** The funds are reauthorized: from now on captures and voids use this hold and its deadlines. */
export function finishReauthorization(
  state: PaymentState,
  { authorization, heldAt, isEnded }: EventOf<'authorizationRenewed'>,
  now: Instant,
): TransitionResult {
  const { openStep } = state;
  if (!state.authorization || openStep?.step.type !== 'reauthorizeAuthorization') {
    return { kind: 'stale', state };
  }
  const { captured, pending } = amountsOf(state);
  const asked = captured + pending + openStep.step.minor;
  const reauthorized = withReauthorization(withoutStep(state), state.authorization, authorization, heldAt);
  const progress = reauthorizationsOf(reauthorized);
  const limit = Math.max(progress.limit ?? state.order.amount.minor, asked);
  const next = afterCaptures({ ...reauthorized, reauthorizations: { ...progress, limit } }, now);
  // Before anything is captured of the new hold: somebody may have captured of the old one while it was asked for, and an
  // event of that waits until the call is answered.
  const { rules, remembersNews } = next.order;
  if (rules === 2 || (next.readOwed && remembersNews)) return observe(next, now);
  return moved(next, isEnded ? { type: 'observe' } : undefined);
}

/** By the provider's clock the honour period is not over yet: the hold has not changed, and the policy tries later. */
export function deferReauthorization(state: PaymentState, reason: string, now: Instant): TransitionResult {
  const { openStep, authorization } = state;
  if (openStep?.step.type !== 'reauthorizeAuthorization' || !authorization) return { kind: 'stale', state };
  const progress = reauthorizationsOf(state);
  const { isOver, ...rest } = progress;
  // What is put off says nothing of the policy's own, if that was refused for good.
  const isRefused =
    isOver && state.order.rules === 2 && !isPolicyCommand(state.order, openStep.step.commandId);
  const wait = (dayLengthOf(authorization) / hoursPerDay) * 2 ** Math.min(progress.failures, hoursPerDay);
  const failures = progress.failures + 1;
  const notBefore = Math.round(now + wait);
  const held = enter(withoutStep(state), statusOfHold(state), now);
  const put = { ...rest, ...(isRefused && { isOver }), failures, notBefore };
  return moved({ ...held, reason, reauthorizations: put });
}

/**
 * Others have captured since its amount was computed, so nothing was sent. A read adopts what they have captured: then a
 * policy tries again, with what is left.
 */
export function renewAmount(state: PaymentState, reason: string, now: Instant): TransitionResult {
  const deferred = deferReauthorization(state, reason, now);
  return deferred.kind === 'moved' ? observeTwice(deferred.state, now) : deferred;
}

/** Somebody reauthorized the funds at the provider: follows the new hold. */
export function followReauthorization(state: PaymentState, shown: ShownHold): PaymentState {
  const known = state.authorization;
  if (!known) return state;
  if (isSuccessor(known, shown)) return withReauthorization(state, known, holdIn(shown), shown.createdAt);
  const { changedAt } = shown;
  const isLater = changedAt !== undefined && changedAt > heldSince(known);
  if (!isLater || !isOfAnotherAmount(known, shown)) return state;
  return withReauthorization(state, known, holdIn(shown), changedAt);
}

/** True for a lagging read: it shows a replaced hold, or this one before its reauthorization. */
export function lagsBehind(state: PaymentState, shown: ShownHold): boolean {
  const known = state.authorization;
  if (isSuperseded(state, shown.authorizationId)) return true;
  if (!known?.renewal || !isOfAnotherAmount(known, shown)) return false;
  return (shown.changedAt ?? 0) <= heldSince(known);
}

/** True for a replaced hold. */
export function isSuperseded(
  { authorization, reauthorizations }: PaymentState,
  authorizationId: string,
): boolean {
  if (authorizationId === authorization?.authorizationId) return false;
  return reauthorizations?.earlier.some((hold) => hold.authorizationId === authorizationId) ?? false;
}

/** The amount of a hold differs only if it was reauthorized under the same id. */
function isOfAnotherAmount(known: Authorization, { authorizationId, minor }: ShownHold): boolean {
  return authorizationId === known.authorizationId && minor !== known.minor;
}

function heldSince({ renewal, createdAt }: Authorization): Instant {
  return renewal?.heldAt ?? createdAt;
}

/** A payment has one hold: a later one is the reauthorized earlier one. */
function isSuccessor(known: Authorization, shown: Authorization): boolean {
  return shown.authorizationId !== known.authorizationId && shown.createdAt > known.createdAt;
}

/**
 * Finds a reauthorization with a lost answer in a read: by another id, a longer window or another amount; if none of
 * these differ, by a change of the hold since the read before the POST.
 *
 * @param seenUpdatedAt the hold's last change as that read showed it; undefined if a capture may explain a later one.
 */
export function reauthorizationIn(
  state: PaymentState,
  facts: ProviderFacts,
  seenUpdatedAt: Instant | undefined,
): EventOf<'authorizationRenewed'> | undefined {
  const { authorization: shown, captures } = facts;
  const known = state.authorization;
  if (!known || !shown || lagsBehind(state, shown)) return undefined;
  const isHeld = shown.state === 'authorized' || shown.state === 'partially_captured';
  const isRead = isHeld && captures.every((capture) => isKnown(state, capture));
  const reauthorized = (heldAt: Instant) =>
    ({
      type: 'authorizationRenewed',
      authorization: holdIn(shown),
      heldAt,
      ...(!isRead && { isEnded: true }),
    }) as const;
  if (isSuccessor(known, shown)) return reauthorized(shown.createdAt);
  if (shown.authorizationId !== known.authorizationId || !isHeld) return undefined;
  const { changedAt } = shown;
  const isOtherwise = shown.validUntil > known.validUntil || shown.minor !== known.minor;
  const isTouched = changedAt !== undefined && seenUpdatedAt !== undefined && changedAt > seenUpdatedAt;
  return isOtherwise || isTouched ? reauthorized(changedAt ?? shown.createdAt) : undefined;
}

/** The hold's own facts, without other facts of the read. */
function holdIn({ authorizationId, minor, createdAt, validUntil }: ShownHold): Authorization {
  return { authorizationId, minor, createdAt, validUntil };
}

function withReauthorization(
  state: PaymentState,
  known: Authorization,
  shown: Authorization,
  heldAt: Instant,
): PaymentState {
  const { authorizationId, minor } = known;
  const { notBefore: _past, isOver: _notNow, ...progress } = reauthorizationsOf(state);
  const reauthorizations: Reauthorizations = {
    ...progress,
    earlier: [...progress.earlier, { authorizationId, minor }],
    failures: 0,
  };
  // Without an end instant in the answer the window has not changed.
  const validUntil = shown.validUntil > shown.createdAt ? shown.validUntil : known.validUntil;
  const { warning, holdEnd: _ofTheOther, ...rest } = state;
  return {
    ...rest,
    reauthorizations,
    authorization: { ...shown, validUntil, renewal: { heldAt, dayLengthMs: dayLengthOf(known) } },
    captures: state.captures.map((capture) => ({ authorizationId, ...capture })),
    honourStage: 'running',
    ...(warning === 'capture_window_ending' && validUntil === known.validUntil && { warning }),
    honourCaptureTried: false,
    settlementTried: state.settlementTried && validUntil === known.validUntil,
    lapsed: state.lapsed && validUntil === known.validUntil,
  };
}

export function reauthorizationsOf({ reauthorizations }: PaymentState): Reauthorizations {
  return reauthorizations ?? { earlier: [], tries: 0, failures: 0 };
}
