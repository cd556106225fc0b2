import { type CallIdentity, type FailureFacts, PaymentsError } from './payments-error.js';

/** The provider knows no resource by this id. On a read this may be lag: one look that shows nothing proves nothing. */
export class NotFoundError extends PaymentsError {
  readonly kind = 'not_found';
  override readonly name = 'NotFoundError';

  constructor(identity: CallIdentity, facts: FailureFacts) {
    super('found no such resource', identity, facts);
  }
}
