import type { Dispatcher } from 'undici';
import type { CallRecord } from './transport/call-record.js';
import type { DialectName } from './dialect.js';
import type { RetryPolicy } from './transport/retry.js';

export interface PaymentsClientOptions {
  /** The provider's {base_url}: origin, and a path in front of /v1 where there is one. */
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Spelling of what is sent; answers are understood in both. Default `interface`. */
  readonly dialect?: DialectName | undefined;
  /** Limit of one exchange, waiting for a connection included. Default 15,000. */
  readonly attemptTimeoutMs?: number | undefined;
  /** Limit of a call with its token, attempts and waits. Default 45,000. */
  readonly totalTimeoutMs?: number | undefined;
  readonly retry?: Partial<RetryPolicy> | undefined;
  /** Told of every exchange once it has ended, token requests included. What it throws changes no outcome. */
  readonly onCall?: ((record: CallRecord) => void) | undefined;
  /** Ends every call as a signal of its own would (CallOptions): for a process that is to end and lets go of what it waits for. */
  readonly signal?: AbortSignal | undefined;
  /** Header that carries the request id. Default `PayPal-Request-Id`. */
  readonly requestIdHeader?: string | undefined;
  /** For a proxy, or a test; see Transport for what it must keep to. */
  readonly dispatcher?: Dispatcher | undefined;
}

export interface CallOptions {
  /**
   * Ends every wait of the call. It rejects with the signal's reason where nothing can have changed, and with
   * UnknownOutcomeError where a request that changes something had left.
   */
  readonly signal?: AbortSignal | undefined;
}

export interface KeyedCallOptions extends CallOptions {
  /** Identity of this one effect, ≤ 78 printable characters, kept by the caller before the call is made. */
  readonly requestId: string;
}
