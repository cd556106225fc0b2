import type { Budget } from './budget.js';
import type { UnknownOutcomeError } from '../errors/unknown-outcome-error.js';
import type { CallResult } from './classify.js';
import type { Repeatability } from '../operations/operation.js';
import { mayRepeat, retryDelayMs, type RetryPolicy, type CallFailure } from './retry.js';

/**
 * The attempts of one call: it is attempted until it is done, must not be repeated, or its budget does not allow for
 * another wait.
 *
 * Once an attempt has an unknown outcome, only a success resolves it. A later refusal does not: after a lost success
 * the provider also answers "already executed".
 */
export class Attempts {
  readonly #repeatability: Repeatability;
  readonly #policy: RetryPolicy;
  readonly #budget: Budget;
  #made = 0;
  #unknown: UnknownOutcomeError | undefined;

  /** @throws the signal's reason, if it has aborted before the call */
  constructor(repeatability: Repeatability, policy: RetryPolicy, budget: Budget) {
    budget.signal?.throwIfAborted();
    this.#repeatability = repeatability;
    this.#policy = policy;
    this.#budget = budget;
  }

  /**
   * Waits until the call may be attempted again.
   * @throws PaymentsError, or the signal's reason when its abort came before anything could have changed
   */
  async waitAfter(result: Exclude<CallResult<never>, { kind: 'done' }>): Promise<void> {
    const { signal } = this.#budget;
    this.#made += 1;
    if (result.kind === 'aborted') throw this.#unknown ?? signal?.reason;
    const error = finalError(result, this.#unknown);
    if (result.kind === 'unknown') this.#unknown = result.error;
    const isUnknown = this.#unknown !== undefined;
    if (this.#made >= this.#policy.maxAttempts || !mayRepeat(result, this.#repeatability, isUnknown))
      throw error;
    const delayMs = retryDelayMs(this.#policy, this.#made, result.error.retryAfterMs, Math.random());
    // If the wait exceeds the limit, throw at once, so that the caller gets the provider's Retry-After.
    if (!this.#budget.allowsRepeatAfter(delayMs)) throw error;
    await this.#budget.sleep(delayMs);
    if (signal?.aborted) throw isUnknown ? error : signal.reason;
  }
}

function finalError(failure: CallFailure, unknown: UnknownOutcomeError | undefined) {
  return unknown === undefined || failure.kind === 'unknown'
    ? failure.error
    : unknown.followedBy(failure.error);
}
