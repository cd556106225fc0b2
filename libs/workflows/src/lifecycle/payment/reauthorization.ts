import { amountsOf, statusOfHold } from './amounts.js';
import { dayLengthOf, holdDeadlines } from './deadlines.js';
import type { Authorization, HoldEvent, Reauthorizations } from './hold.js';
import { type Instant, refuse } from '../lifecycle.js';
import { moneyText } from '../money.js';
import type { PaymentState, ProviderFacts } from './payment.js';
import type { TransitionResult } from './event.js';
import { afterCaptures, begin, enter, moved, withoutStep } from './rules.js';
import { policyCommandId } from './policy-commands.js';

type EventOf<T extends HoldEvent['type']> = Extract<HoldEvent, { type: T }>;
type ShownHold = NonNullable<ProviderFacts['authorization']>;

/** After a failure the policy waits an hour of the provider's, then twice as long each time. */
const hoursPerDay = 24;
/** What the provider allows beyond the first hold: 15 %, and in USD no more than 75. */
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

/** The honour period is over: the policy has the rest reauthorized. What refuses that here would refuse it for ever. */
export function reauthorizeByPolicy(state: PaymentState, now: Instant): TransitionResult {
  const progress = reauthorizationsOf(state);
  const tries = progress.tries + 1;
  const tried = { ...state, reauthorizations: { ...progress, tries, isOver: true } };
  const commandId = policyCommandId(state.order, 'reauthorization', tries);
  const begun = beginReauthorization(tried, { commandId }, now);
  return begun.kind === 'moved' ? begun : moved(tried);
}

/** What can be reauthorized besides what was captured: 115 % of the first hold in all, by the provider's rule. */
function mostReauthorizable(state: PaymentState, { minor }: Authorization): number {
  const first = reauthorizationsOf(state).earlier[0]?.minor ?? minor;
  const share =
    Math.floor(first / 100) * mostAbovePercent + Math.floor(((first % 100) * mostAbovePercent) / 100);
  // Worth as much in another currency, by rates that only the provider knows.
  const above = state.order.amount.currency === 'USD' ? Math.min(share, mostAboveUsd) : share;
  const { captured, pending } = amountsOf(state);
  return Math.max(0, first + above - captured - pending);
}

/** The funds are reauthorized: from here on captures and voids go to this hold, and its deadlines are the payment's. */
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
  const renewed = renew(withoutStep(state), state.authorization, authorization, heldAt);
  const progress = reauthorizationsOf(renewed);
  const limit = Math.max(progress.limit ?? state.order.amount.minor, asked);
  const next = afterCaptures({ ...renewed, reauthorizations: { ...progress, limit } }, now);
  return moved(next, isEnded ? { type: 'observe' } : undefined);
}

/** By the provider's clock, which may be behind ours, the honour period is not over: the hold is as it was. */
export function deferReauthorization(state: PaymentState, reason: string, now: Instant): TransitionResult {
  const { openStep, authorization } = state;
  if (openStep?.step.type !== 'reauthorizeAuthorization' || !authorization) return { kind: 'stale', state };
  const progress = reauthorizationsOf(state);
  const { isOver: _notForEver, ...rest } = progress;
  const wait = (dayLengthOf(authorization) / hoursPerDay) * 2 ** Math.min(progress.failures, hoursPerDay);
  const failures = progress.failures + 1;
  const notBefore = Math.round(now + wait);
  const held = enter(withoutStep(state), statusOfHold(state), now);
  return moved({ ...held, reason, reauthorizations: { ...rest, failures, notBefore } });
}

/** The funds are reauthorized, under whichever id, by no doing of this run: somebody reauthorized at the provider. */
export function followRenewal(state: PaymentState, shown: ShownHold): PaymentState {
  const known = state.authorization;
  if (!known) return state;
  if (isSuccessor(known, shown)) return renew(state, known, holdIn(shown), shown.createdAt);
  const { changedAt } = shown;
  const isLater = changedAt !== undefined && changedAt > heldSince(known);
  if (!isLater || !isOfAnotherAmount(known, shown)) return state;
  return renew(state, known, holdIn(shown), changedAt);
}

/** True for a read that lags behind: it shows an earlier hold, or this one as it was before it was reauthorized. */
export function lagsBehind(state: PaymentState, shown: ShownHold): boolean {
  const known = state.authorization;
  if (isSuperseded(state, shown.authorizationId)) return true;
  if (!known?.renewal || !isOfAnotherAmount(known, shown)) return false;
  return (shown.changedAt ?? 0) <= heldSince(known);
}

/** True for a hold whose place another one has taken. */
export function isSuperseded(
  { authorization, reauthorizations }: PaymentState,
  authorizationId: string,
): boolean {
  if (authorizationId === authorization?.authorizationId) return false;
  return reauthorizations?.earlier.some((hold) => hold.authorizationId === authorizationId) ?? false;
}

/** Amounts of one hold differ only where somebody has reauthorized it under its id. */
function isOfAnotherAmount(known: Authorization, { authorizationId, minor }: ShownHold): boolean {
  return authorizationId === known.authorizationId && minor !== known.minor;
}

function heldSince({ renewal, createdAt }: Authorization): Instant {
  return renewal?.heldAt ?? createdAt;
}

/** A payment has one hold: a later one under it is the earlier one reauthorized. */
function isSuccessor(known: Authorization, shown: Authorization): boolean {
  return shown.authorizationId !== known.authorizationId && shown.createdAt > known.createdAt;
}

/**
 * What a read shows of a reauthorization whose answer was lost: another id, a longer window, another amount; or, where
 * all of that stayed, that the hold has been changed since it was looked at before the POST.
 *
 * @param seenUpdatedAt the provider's instant of the hold's last change as that look showed it.
 */
export function renewalIn(
  state: PaymentState,
  facts: ProviderFacts,
  seenUpdatedAt: Instant | undefined,
): EventOf<'authorizationRenewed'> | undefined {
  const { authorization: shown, captures } = facts;
  const known = state.authorization;
  if (!known || !shown || lagsBehind(state, shown)) return undefined;
  const isHeld = shown.state === 'authorized' || shown.state === 'partially_captured';
  const renewed = (heldAt: Instant) =>
    ({
      type: 'authorizationRenewed',
      authorization: holdIn(shown),
      heldAt,
      ...(!isHeld && { isEnded: true }),
    }) as const;
  if (isSuccessor(known, shown)) return renewed(shown.createdAt);
  if (shown.authorizationId !== known.authorizationId || !isHeld) return undefined;
  const { changedAt } = shown;
  const isOtherwise = shown.validUntil > known.validUntil || shown.minor !== known.minor;
  // A capture made elsewhere changes the hold as well.
  const isOursAlone = captures.every(({ captureId }) =>
    state.captures.some((mine) => mine.captureId === captureId),
  );
  const isTouched =
    isOursAlone && changedAt !== undefined && seenUpdatedAt !== undefined && changedAt > seenUpdatedAt;
  return isOtherwise || isTouched ? renewed(changedAt ?? shown.createdAt) : undefined;
}

/** Its own facts only: not what a read says of it besides. */
function holdIn({ authorizationId, minor, createdAt, validUntil }: ShownHold): Authorization {
  return { authorizationId, minor, createdAt, validUntil };
}

function renew(
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
  // Where it does not say until when, it is not longer than before.
  const validUntil = shown.validUntil > shown.createdAt ? shown.validUntil : known.validUntil;
  const { warning, ...rest } = state;
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
