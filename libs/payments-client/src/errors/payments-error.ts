/** Which call an error belongs to; the request id is the one sent to the provider with it. */
export interface CallIdentity {
  readonly operation: string;
  readonly requestId?: string | undefined;
}

/** What the provider or the connection showed about a failed call. */
export interface FailureFacts {
  /** HTTP status, where an answer began. */
  readonly status?: number | undefined;
  /** The provider's error name (`VALIDATION_ERROR`), or the network's error code (`ECONNREFUSED`). */
  readonly code?: string | undefined;
  /** The provider's id of this exchange, for its support. */
  readonly debugId?: string | undefined;
  /** How long the provider asked to wait, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
}

/** Why an exchange had no usable answer. */
export type FailureReason =
  | 'connection_failed'
  | 'connection_lost'
  | 'timed_out'
  | 'aborted'
  | 'server_error'
  | 'malformed_answer'
  | 'unexpected_status'
  | 'token_unavailable';

/**
 * Base of everything the client throws (a caller's own abort of a call that changed nothing excepted). Contains facts
 * only, never the provider's texts, a body, a header or a cause: those may contain secrets, and errors get into logs,
 * pages and workflow histories.
 */
export abstract class PaymentsError extends Error {
  abstract readonly kind: string;
  readonly operation: string;
  readonly requestId: string | undefined;
  readonly status: number | undefined;
  readonly code: string | undefined;
  readonly debugId: string | undefined;
  readonly retryAfterMs: number | undefined;

  protected constructor(what: string, identity: CallIdentity, facts: FailureFacts) {
    super(`${identity.operation} ${what}${describe(facts)}`);
    this.operation = identity.operation;
    this.requestId = identity.requestId;
    this.status = facts.status;
    this.code = facts.code;
    this.debugId = facts.debugId;
    this.retryAfterMs = facts.retryAfterMs;
  }

  toJSON(): Record<string, unknown> {
    return { ...Object.fromEntries(Object.entries(this)), message: this.message };
  }
}

function describe({ status, code, debugId }: FailureFacts): string {
  const parts = [code, status && `status ${status}`, debugId && `debug id ${debugId}`].filter(Boolean);
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}
