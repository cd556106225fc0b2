import { type CallIdentity, type FailureFacts, type FailureReason, PaymentsError } from './payments-error.js';

/**
 * No answer, and nothing was done: either the request was provably not sent (connection refused, no token), or it only
 * reads. A request that may have moved money gets an UnknownOutcomeError instead.
 */
export class UnavailableError extends PaymentsError {
  readonly kind = 'unavailable';
  override readonly name: string = 'UnavailableError';
  readonly reason: FailureReason;

  constructor(identity: CallIdentity, reason: FailureReason, facts: FailureFacts) {
    super(`is unavailable: ${reason}`, identity, facts);
    this.reason = reason;
  }
}
