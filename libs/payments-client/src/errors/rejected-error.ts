import { type CallIdentity, type FailureFacts, PaymentsError } from './payments-error.js';

export interface FieldIssue {
  /** Path of the field in the spelling of the side that refused it; empty for the request as a whole. */
  readonly field: string;
  /** What is wrong with it; redacted. */
  readonly issue: string;
}

/**
 * The request was refused and nothing was done: by the provider or, without a status, by this client before anything
 * was sent. `code` distinguishes a wrong field (`VALIDATION_ERROR`) from a wrong moment (`AUTHORIZATION_VOIDED`,
 * `PAYMENT_NOT_APPROVED_FOR_EXECUTION`).
 */
export class RejectedError extends PaymentsError {
  readonly kind = 'rejected';
  override readonly name = 'RejectedError';
  readonly issues: readonly FieldIssue[];
  /** The existing payout batch with the same reference, if the provider refuses another one because of it. */
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
