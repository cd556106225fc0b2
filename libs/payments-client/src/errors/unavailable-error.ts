import { type CallIdentity, type FailureFacts, type FailureReason, PaymentsError } from './payments-error.js';

/**
 * No answer, and no harm: either the request provably never left (connection refused, no token), or it only
 * reads. It is not for a request that may have moved money: that is an UnknownOutcomeError.
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
