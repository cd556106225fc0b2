import { type CallIdentity, type FailureFacts, PaymentsError } from './payments-error.js';

/**
 * Another request conflicts (409), possibly one with the same request id that is still running: look the outcome up
 * before repeating.
 */
export class ConflictError extends PaymentsError {
  readonly kind = 'conflict';
  override readonly name = 'ConflictError';

  constructor(identity: CallIdentity, facts: FailureFacts) {
    super('conflicts with another request', identity, facts);
  }
}
