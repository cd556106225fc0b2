import { type CallIdentity, type FailureFacts, PaymentsError } from './payments-error.js';

/** The provider does not know a resource with this id. A read may lag: one such answer proves nothing. */
export class NotFoundError extends PaymentsError {
  readonly kind = 'not_found';
  override readonly name = 'NotFoundError';

  constructor(identity: CallIdentity, facts: FailureFacts) {
    super('found no such resource', identity, facts);
  }
}
