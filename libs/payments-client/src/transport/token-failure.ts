import { Interrupted } from './budget.js';
import { type CallIdentity, PaymentsError } from '../errors/payments-error.js';
import { UnauthorizedError } from '../errors/unauthorized-error.js';
import { UnavailableError } from '../errors/unavailable-error.js';
import type { CallResult } from './classify.js';

/**
 * The result of a call without a token: provably nothing was done. Many calls wait for one token request, and each gets
 * its own error with its own identity. It is final for the call: the token request has already been repeated within its
 * own policy.
 */
export function classifyWithoutToken(identity: CallIdentity, failure: unknown): CallResult<never> {
  if (failure instanceof Interrupted) {
    return failure.by === 'aborted'
      ? { kind: 'aborted' }
      : { kind: 'refused', error: new UnavailableError(identity, 'timed_out', {}) };
  }
  if (!(failure instanceof PaymentsError)) {
    // Closing the client ends its token request with the closing signal's reason.
    return { kind: 'refused', error: new UnavailableError(identity, 'token_unavailable', {}) };
  }
  const { kind, status, code, debugId, retryAfterMs } = failure;
  const facts = { status, code, debugId, retryAfterMs };
  const areCredentialsBad = kind === 'unauthorized' || kind === 'rejected';
  const error = areCredentialsBad
    ? new UnauthorizedError(identity, facts)
    : new UnavailableError(identity, 'token_unavailable', facts);
  return { kind: 'refused', error };
}
