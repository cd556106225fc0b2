import {
  ConflictError,
  DeclinedError,
  NotFoundError,
  RateLimitedError,
  RejectedError,
  UnauthorizedError,
  UnavailableError,
  UnknownOutcomeError,
} from '#payments-client';
import { storableText } from '#database/text';
import type { AttemptOutcome } from '#database/schema';
import type { Instant, LifecycleEvent } from '#workflows/lifecycle';
import type { StepEvent } from '#workflows/lifecycle/step';

export interface MappedFailure {
  readonly outcome: AttemptOutcome;
  readonly event: StepEvent;
}

/** Nothing was sent, for want of a read without which an unknown outcome could not be told afterwards. */
export class NotSentError extends Error {
  override readonly name = 'NotSentError';
}

interface Circumstances {
  readonly now: Instant;
  /** From here on, absence at the provider proves that the POST was not carried out. */
  readonly horizonAt: Instant;
  /** POSTs of this step proved undone before, and the first wait: each repeat waits twice as long. */
  readonly attempts: number;
  readonly firstRetryMs: number;
  readonly longestRetryMs: number;
}

/**
 * What a failed POST means to whatever it was made for: the one place where the client's errors become lifecycle events.
 * Whatever is not proved to have done nothing is unknown, programming errors included: they may come after the send.
 */
export function mapFailure(error: unknown, circumstances: Circumstances): MappedFailure {
  if (error instanceof NotSentError) return deferred(undefined, circumstances);
  if (error instanceof UnknownOutcomeError) return unknown(circumstances);
  if (error instanceof DeclinedError) return declined('The provider declined it', error.code);
  // It is in another state than this step expects: perhaps because the step was carried out already.
  if (error instanceof RejectedError && error.code === 'PAYMENT_STATE_INVALID') return unknown(circumstances);
  // The key was used before, for whatever it was: that is to be looked up before anything is said of it.
  if (error instanceof RejectedError && error.code === 'DUPLICATE_REQUEST_ID') return unknown(circumstances);
  if (error instanceof RejectedError) return declined('The provider refused it', error.code);
  if (error instanceof NotFoundError) return declined('The provider does not know the resource', error.code);
  // Another call stands in the way, possibly this very one: its outcome is what a lookup will show.
  if (error instanceof ConflictError) return unknown(circumstances);
  if (
    error instanceof RateLimitedError ||
    error instanceof UnavailableError ||
    // Credentials can be mended by an operator while the payment waits.
    error instanceof UnauthorizedError
  ) {
    return deferred(error.retryAfterMs, circumstances);
  }
  return unknown(circumstances);
}

/**
 * A refusal of a repeat does not say that nothing happened: the attempt before it, proved undone by a provider that
 * was slower than promised, may be what stands in its way. So it is looked up like any doubt; only when nothing is
 * found until the horizon does the refusal stand.
 *
 * @param meant what it means to the lifecycle, where that is more than that the step was declined.
 */
export function mapRefusedRepeat(
  failure: MappedFailure,
  { horizonAt }: Circumstances,
  meant?: LifecycleEvent,
): MappedFailure {
  const { event } = failure;
  if (event.type !== 'stepDeclined') return failure;
  return {
    outcome: 'unknown',
    event: { type: 'outcomeUnknown', horizonAt, refusal: event.reason, ...(meant && { meant }) },
  };
}

/** Nothing was sent, and nobody else may send this attempt: that is proof. */
export function tooLateToSend(): MappedFailure {
  return { outcome: 'deferred', event: { type: 'stepDeferred', retryAt: Date.now() } };
}

function declined(words: string, code: string | undefined): MappedFailure {
  return {
    outcome: 'declined',
    event: {
      type: 'stepDeclined',
      reason: `${words} (${code === undefined ? 'no reason given' : storableText(code)}).`,
    },
  };
}

function deferred(
  retryAfterMs: number | undefined,
  { now, attempts, firstRetryMs, longestRetryMs }: Circumstances,
): MappedFailure {
  // Also what the provider asks for has a limit: an open step keeps captures, voids and deadlines waiting.
  const wait = Math.min(longestRetryMs, Math.max(retryAfterMs ?? 0, firstRetryMs * 2 ** attempts));
  return { outcome: 'deferred', event: { type: 'stepDeferred', retryAt: now + wait } };
}

function unknown({ horizonAt }: Circumstances): MappedFailure {
  return { outcome: 'unknown', event: { type: 'outcomeUnknown', horizonAt } };
}
