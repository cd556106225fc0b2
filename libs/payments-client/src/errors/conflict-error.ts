import { type CallIdentity, type FailureFacts, PaymentsError } from './payments-error.js';

/** Another request stands in the way (409), possibly one with the same request id that is still running: look before repeating. */
export class ConflictError extends PaymentsError {
  readonly kind = 'conflict';
  override readonly name = 'ConflictError';

  constructor(identity: CallIdentity, facts: FailureFacts) {
    super('conflicts with another request', identity, facts);
  }
}
