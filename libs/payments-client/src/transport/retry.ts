import type { PaymentsError } from '../errors/payments-error.js';
import type { UnknownOutcomeError } from '../errors/unknown-outcome-error.js';
import type { Repeatability } from '../operations/operation.js';

export interface RetryPolicy {
  /** Attempts in all, the first included; the one replay after a renewed token is not counted. */
  readonly maxAttempts: number;
  /** Upper bound of the first wait, in milliseconds; it doubles with each attempt. */
  readonly baseDelayMs: number;
  /** Upper bound of any wait that we choose ourselves. */
  readonly maxDelayMs: number;
}

export const DEFAULT_RETRY: RetryPolicy = { maxAttempts: 4, baseDelayMs: 200, maxDelayMs: 5_000 };

/** A failed attempt, by what it proves. */
export type CallFailure =
  /** The request was not sent. */
  | { readonly kind: 'unsent'; readonly error: PaymentsError }
  /** A read had no usable answer. */
  | { readonly kind: 'unread'; readonly error: PaymentsError }
  /** Nothing was done: the provider refused, or there was no token for the request. */
  | { readonly kind: 'refused'; readonly error: PaymentsError }
  /** The request was sent, and was or may still be carried out. */
  | { readonly kind: 'unknown'; readonly error: UnknownOutcomeError };

/**
 * Whether it is safe to send the same request again. `isOutcomeUnknown`: an earlier attempt of this call has an unknown
 * outcome.
 */
export function mayRepeat(
  failure: CallFailure,
  repeatability: Repeatability,
  isOutcomeUnknown: boolean,
): boolean {
  const { kind, error } = failure;
  if (kind === 'unsent' || kind === 'unread') return true;
  if (kind === 'unknown') return repeatability === 'keyed';
  if (error.kind === 'rate_limited') return true;
  // 409 for a key whose first answer was lost: the first request is still running, and its answer will be stored.
  return error.kind === 'conflict' && isOutcomeUnknown && repeatability === 'keyed';
}

/**
 * How long to wait before the attempt after number `attempt`: full jitter under an exponential ceiling, so that callers
 * that failed together do not retry together; at least the wait that the provider requested.
 * @param random in [0, 1)
 * @returns milliseconds
 */
export function retryDelayMs(
  policy: RetryPolicy,
  attempt: number,
  retryAfterMs: number | undefined,
  random: number,
): number {
  const ceiling = Math.min(policy.maxDelayMs, policy.baseDelayMs * 2 ** (attempt - 1));
  return (retryAfterMs ?? 0) + random * ceiling;
}

/** Retry-After (RFC 9110, 10.2.3): seconds, or a date. Milliseconds from `now`; undefined if unreadable. */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  const text = header?.trim();
  if (text === undefined || text === '') return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  // Every HTTP-date names a weekday; Date.parse alone would take "1.5" or "-3" for a date.
  const instant = /^[A-Z][a-z]{2}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(instant) ? undefined : Math.max(0, instant - now);
}
