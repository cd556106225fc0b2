import { type CallIdentity, type FailureFacts, type FailureReason, PaymentsError } from './payments-error.js';
import { RejectedError } from './rejected-error.js';

/** What else is known about a request whose outcome is not. */
export interface OutcomeEvidence {
  /** The id that a malformed success, or the refusal of a repetition, named: the best address to look at first. */
  readonly resourceId?: string | undefined;
  /** Fields missing or wrong in a malformed success. */
  readonly fields?: readonly string[] | undefined;
  /**
   * How a repetition of the same request was answered afterwards. It tells nothing about the first: a refusal
   * ("already executed", "key in use") is just what a success that was lost would cause.
   */
  readonly laterAnswer?: (FailureFacts & { readonly kind: string }) | undefined;
}

/**
 * The request was sent, and may have been carried out, now or seconds from now. It is not a failure: look the
 * operation up by its reference before repeating it or telling anyone that it failed.
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

  /** The same doubt, with the answer that a repetition got: a refusal cannot dispel it. */
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
