import type { CallIdentity, FailureFacts } from './payments-error.js';
import { UnavailableError } from './unavailable-error.js';

/**
 * A read was answered with success but not in the promised form: no JSON, a required field is missing, or it is about
 * another resource. It counts as unavailable, because the next answer may be the right one.
 */
export class MalformedAnswerError extends UnavailableError {
  override readonly name = 'MalformedAnswerError';
  /** Paths of the fields that are missing or wrong; empty when the body is no JSON at all. */
  readonly fields: readonly string[];

  constructor(identity: CallIdentity, facts: FailureFacts, fields: readonly string[]) {
    super(identity, 'malformed_answer', facts);
    this.fields = fields;
  }
}
