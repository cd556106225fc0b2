import { type CallIdentity, type FailureFacts, PaymentsError } from './payments-error.js';

/** The credentials, or a token renewed just before, were refused (401), or do not permit the call (403). Nothing was done. */
export class UnauthorizedError extends PaymentsError {
  readonly kind = 'unauthorized';
  override readonly name = 'UnauthorizedError';

  constructor(identity: CallIdentity, facts: FailureFacts) {
    super('was not authorized', identity, facts);
  }
}
