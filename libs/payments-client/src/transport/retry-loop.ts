import type { Budget } from './budget.js';
import type { UnknownOutcomeError } from '../errors/unknown-outcome-error.js';
import type { CallResult } from './classify.js';
import type { Repeatability } from '../operations/operation.js';
import { mayRepeat, retryDelayMs, type RetryPolicy, type CallFailure } from './retry.js';

/**
 * Attempts a call until it is done, must not be repeated, or its budget does not allow for another wait.
 *
 * Once an attempt has an unknown outcome, only a success resolves it. A later refusal does not: after a lost success
 * the provider also answers "already executed".
 * @throws PaymentsError, or the signal's reason when its abort came before anything could have changed
 */
export async function callWithRetries<A>(
  repeatability: Repeatability,
  policy: RetryPolicy,
  budget: Budget,
  attempt: () => Promise<CallResult<A>>,
): Promise<A> {
  let unknown: UnknownOutcomeError | undefined;
  const { signal } = budget;
  signal?.throwIfAborted();
  for (let attempts = 1; ; attempts += 1) {
    const result = await attempt();
    if (result.kind === 'done') return result.answer;
    if (result.kind === 'aborted') throw unknown ?? signal?.reason;
    const error = finalError(result, unknown);
    if (result.kind === 'unknown') unknown = result.error;
    if (attempts >= policy.maxAttempts || !mayRepeat(result, repeatability, unknown !== undefined))
      throw error;
    const delayMs = retryDelayMs(policy, attempts, result.error.retryAfterMs, Math.random());
    // If the wait exceeds the limit, throw at once, so that the caller gets the provider's Retry-After.
    if (delayMs >= budget.remainingMs()) throw error;
    await budget.sleep(delayMs);
    if (signal?.aborted) throw unknown === undefined ? signal.reason : error;
  }
}

function finalError(failure: CallFailure, unknown: UnknownOutcomeError | undefined) {
  return unknown === undefined || failure.kind === 'unknown'
    ? failure.error
    : unknown.followedBy(failure.error);
}
