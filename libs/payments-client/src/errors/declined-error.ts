import { type CallIdentity, type FailureFacts, PaymentsError } from './payments-error.js';

/** The funding source declined: nothing moved, and the same request would be declined again. */
export class DeclinedError extends PaymentsError {
  readonly kind = 'declined';
  override readonly name = 'DeclinedError';

  constructor(identity: CallIdentity, facts: FailureFacts) {
    super('was declined', identity, facts);
  }
}
