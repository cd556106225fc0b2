import { type CallIdentity, type FailureFacts, PaymentsError } from './payments-error.js';

export interface FieldIssue {
  /** Path of the field, as the side that refused it spells it; empty when the request as a whole is meant. */
  readonly field: string;
  /** What is wrong with it; redacted. */
  readonly issue: string;
}

/**
 * The request was refused as it stands, and nothing was done: by the provider, or, without a status, by this
 * client before anything was sent. `code` tells a wrong field (`VALIDATION_ERROR`) from a wrong moment
 * (`AUTHORIZATION_VOIDED`, `PAYMENT_NOT_APPROVED_FOR_EXECUTION`).
 */
export class RejectedError extends PaymentsError {
  readonly kind = 'rejected';
  override readonly name = 'RejectedError';
  readonly issues: readonly FieldIssue[];
  /** The payout batch that has the same reference already, where the provider refuses another one for it. */
  readonly existingId: string | undefined;

  constructor(
    identity: CallIdentity,
    facts: FailureFacts,
    issues: readonly FieldIssue[],
    existingId?: string,
  ) {
    super('was rejected', identity, facts);
    this.issues = issues;
    this.existingId = existingId;
  }
}
