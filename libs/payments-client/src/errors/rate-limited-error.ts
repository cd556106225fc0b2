import { type CallIdentity, type FailureFacts, PaymentsError } from './payments-error.js';

/** Refused before anything was done (429), also after all retries that the time limit allowed. */
export class RateLimitedError extends PaymentsError {
  readonly kind = 'rate_limited';
  override readonly name = 'RateLimitedError';

  constructor(identity: CallIdentity, facts: FailureFacts) {
    super('was refused for its rate', identity, facts);
  }
}
