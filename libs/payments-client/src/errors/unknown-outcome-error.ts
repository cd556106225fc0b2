import { type CallIdentity, type FailureFacts, type FailureReason, PaymentsError } from './payments-error.js';
import { RejectedError } from './rejected-error.js';

/** Further facts about a request with an unknown outcome. */
export interface OutcomeEvidence {
  /** The id in a malformed success or in the refusal of a repeat: look there first. */
  readonly resourceId?: string | undefined;
  /** Fields missing or wrong in a malformed success. */
  readonly fields?: readonly string[] | undefined;
  /**
   * The later answer to a repeat of the request. It proves nothing about the first one: a lost success also causes
   * refusals such as "already executed" or "key in use".
   */
  readonly laterAnswer?: (FailureFacts & { readonly kind: string }) | undefined;
}

/**
 * The request was sent and may be carried out, now or some seconds later. It is not a failure: look the operation up by
 * its reference before you repeat it or report a failure.
 */
export class UnknownOutcomeError extends PaymentsError {
  readonly kind = 'unknown_outcome';
  override readonly name = 'UnknownOutcomeError';
  readonly reason: FailureReason;
  readonly evidence: OutcomeEvidence;

  constructor(
    identity: CallIdentity,
    reason: FailureReason,
    facts: FailureFacts,
    evidence: OutcomeEvidence = {},
  ) {
    super(`has an unknown outcome: ${reason}`, identity, facts);
    this.reason = reason;
    this.evidence = evidence;
  }

  /** The same error with the answer to a repeat: a refusal does not resolve an unknown outcome. */
  followedBy(later: PaymentsError): UnknownOutcomeError {
    const { kind, status, code, debugId } = later;
    const existingId = later instanceof RejectedError ? later.existingId : undefined;
    return new UnknownOutcomeError(this, this.reason, this, {
      ...this.evidence,
      resourceId: this.evidence.resourceId ?? existingId,
      laterAnswer: { kind, status, code, debugId },
    });
  }
}
