import type { Instant } from '../lifecycle.js';
import { withoutReview } from '../step/open-step.js';
import { wideningWait } from '../widening-wait.js';
import type { TransitionResult, OpenStep, PayoutEvent, PayoutState, PayoutStep } from './payout.js';
import { end, enter, moved, withoutStep } from './rules.js';

type EventOf<T extends PayoutEvent['type']> = Extract<PayoutEvent, { type: T }>;

/**
 * The provider refuses a second batch with the same `sender_batch_id` for 30 days. One day is kept as a margin for
 * clock differences and calls under way.
 */
const deduplicatedForMs = 29 * 86_400_000;

const tooLateToAsk =
  'It cannot be proved whether the batch was created, and the provider no longer tells a repeat of it apart.';

/**
 * Until when the creation of a batch can be repeated. The provider cannot be searched for our reference, so an unknown
 * outcome is resolved by repeating the request with the same `sender_batch_id`. The provider carries it out once in 30
 * days, and its refusal names the existing batch. The time counts from the order, before which nothing was sent.
 */
export function askAgainUntil({ order }: PayoutState): Instant {
  return order.orderedAt + deduplicatedForMs;
}

/**
 * Whether an operator's word is not enough to give up the step. While a creation can be repeated, the provider shows its
 * outcome: a batch that pays must not be ordered twice.
 */
export function isReadRequired(state: PayoutState, { type }: PayoutStep, now: Instant): boolean {
  return type === 'createPayout' && now < askAgainUntil(state);
}

/** Whether an earlier request may have created the batch, and another one now would create a second. */
export function wouldBeAnotherBatch(state: PayoutState, now: Instant): boolean {
  return state.openStep !== undefined && isInDoubt(state.openStep) && now >= askAgainUntil(state);
}

/**
 * It is unknown whether the batch was created. This is not a failure: the request is repeated with growing waits, and
 * after a time a review begins.
 */
export function doubtCreation(
  state: PayoutState,
  { horizonAt, reviewAt }: EventOf<'outcomeUnknown'>,
  now: Instant,
): TransitionResult {
  return inDoubt(state, { horizonAt, askAt: now, ...(reviewAt !== undefined && { reviewAt }) }, now);
}

/** This call was not carried out. The outcome of earlier calls stays unknown. */
export function deferCreation(
  state: PayoutState,
  { retryAt }: EventOf<'stepDeferred'>,
  now: Instant,
): TransitionResult {
  const { openStep } = state;
  if (!openStep) return { kind: 'stale', state };
  if (isInDoubt(openStep)) return inDoubt(state, { horizonAt: openStep.horizonAt, askAt: retryAt }, now);
  const attempts = openStep.attempts + 1;
  if (attempts >= state.order.patience.maxAttempts) {
    return end(
      state,
      'declined',
      now,
      'The provider gave no usable answer; it is proved that no batch was created.',
    );
  }
  return moved({ ...state, openStep: { ...openStep, phase: 'retry', attempts, nextAt: retryAt } });
}

/** Repeats the same request as a new attempt. */
export function askAgain(state: PayoutState, _event: unknown, now: Instant): TransitionResult {
  const { openStep } = state;
  if (!openStep || openStep.phase === 'running') return { kind: 'stale', state };
  if (now >= askAgainUntil(state)) return giveToReview(state, openStep, now);
  const attempts = openStep.phase === 'doubt' ? openStep.attempts + 1 : openStep.attempts;
  const running: OpenStep = { ...openStep, phase: 'running', attempts };
  return moved({ ...state, openStep: running }, { type: 'perform', step: openStep.step });
}

/** Repeats it at once for a check, unless the provider has asked us to wait. */
export function askNow(
  state: PayoutState,
  event: EventOf<'providerNotified'>,
  now: Instant,
): TransitionResult {
  const { openStep } = state;
  if (!event.isCheck || openStep?.phase !== 'doubt') return { kind: 'stale', state };
  const isTooEarly = now < (openStep.notBefore ?? openStep.nextAt);
  return isTooEarly ? { kind: 'stale', state } : askAgain(state, event, now);
}

export function takeCreated(
  state: PayoutState,
  { providerBatchId }: { readonly providerBatchId: string },
  now: Instant,
): TransitionResult {
  return moved({ ...enter(withoutStep(state), 'processing', now), providerBatchId });
}

/** True from the first lost answer on: then refused calls do not prove that nothing was created. */
export function isInDoubt({ looks }: Pick<OpenStep, 'looks'>): boolean {
  return looks > 0;
}

interface Doubt {
  readonly horizonAt: Instant;
  readonly askAt: Instant;
  readonly reviewAt?: Instant;
}

function inDoubt(state: PayoutState, { horizonAt, askAt, reviewAt }: Doubt, now: Instant): TransitionResult {
  const { openStep } = state;
  if (!openStep) return { kind: 'stale', state };
  const { patience } = state.order;
  const wait = wideningWait(patience.firstLookMs, patience, openStep.looks);
  const isFirst = !isInDoubt(openStep);
  const since = isFirst ? now : openStep.since;
  const doubted: OpenStep = {
    ...openStep,
    phase: 'doubt',
    looks: openStep.looks + 1,
    since,
    horizonAt,
    nextAt: Math.max(askAt, now + wait),
    notBefore: askAt,
    ...(isFirst && reviewAt !== undefined && { reviewAt }),
  };
  if (state.status === 'needs_review' || now - since < patience.reviewAfterMs) {
    return moved({ ...state, openStep: doubted });
  }
  return requireReview(state, doubted, now);
}

/** The outcome has been unknown for too long, regardless of the next repeat. */
export function reviewCreation(state: PayoutState, _event: unknown, now: Instant): TransitionResult {
  const { openStep } = state;
  return openStep?.phase === 'doubt' ? requireReview(state, openStep, now) : { kind: 'stale', state };
}

function requireReview(state: PayoutState, openStep: OpenStep, now: Instant): TransitionResult {
  const reason = 'It cannot be proved whether the batch was created; it is asked for again meanwhile.';
  const asked = { ...state, openStep: withoutReview(openStep) };
  return moved({ ...enter(asked, 'needs_review', now), reason });
}

/** Another request would be another batch: only a person can continue. */
function giveToReview(state: PayoutState, openStep: OpenStep, now: Instant): TransitionResult {
  const waiting = {
    ...state,
    openStep: { ...withoutReview(openStep), phase: 'doubt' as const, nextAt: askAgainUntil(state) },
  };
  return moved({ ...enter(waiting, 'needs_review', now), reason: tooLateToAsk });
}
