import type { Dispatcher } from 'undici';
import type { CallRecord } from './transport/call-record.js';
import type { AddressRule } from './addresses/index.js';
import type { DialectName } from './dialect.js';
import type { OperationName } from './operations/operation.js';
import type { RetryPolicy } from './transport/retry.js';

export interface PaymentsClientOptions {
  /** The provider's {base_url}: origin, and a path in front of /v1 where there is one. */
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The dialect of requests; answers are understood in both. Default `interface`. */
  readonly dialect?: DialectName | undefined;
  /** Limit of one exchange, waiting for a connection included. Default 15,000. */
  readonly attemptTimeoutMs?: number | undefined;
  /** Limit of a call with its token, attempts and waits. Default 45,000. */
  readonly totalTimeoutMs?: number | undefined;
  readonly retry?: Partial<RetryPolicy> | undefined;
  /**
   * Called before every exchange, including token requests: its headers are sent along, and its `ended` is called
   * afterwards.
   */
  readonly onSend?: ((operation: OperationName, method: string) => SentCall) | undefined;
  /** Called after every exchange, including token requests. Its errors change no outcome. */
  readonly onCall?: ((record: CallRecord) => void) | undefined;
  /** Aborts every call, like the signal in CallOptions: for a process that shuts down. */
  readonly signal?: AbortSignal | undefined;
  /** Header that carries the request id. Default `PayPal-Request-Id`. */
  readonly requestIdHeader?: string | undefined;
  /** Where the base URL's host may lead. By default a public name must have public addresses only. */
  readonly addressRule?: AddressRule | undefined;
  /** For a proxy or a test; its requirements stand at `Transport`. It checks addresses by itself. */
  readonly dispatcher?: Dispatcher | undefined;
}

/** For tracing: what a hook adds to an exchange. */
export interface SentCall {
  readonly headers: Readonly<Record<string, string>>;
  ended(record: CallRecord): void;
}

export interface CallOptions {
  /**
   * Aborts the call. It rejects with the signal's reason if nothing can have changed, and with UnknownOutcomeError if a
   * request that changes something was already sent.
   */
  readonly signal?: AbortSignal | undefined;
  /**
   * Milliseconds since the epoch: from then on the call is not repeated, and not sent after a wait for a token; the last
   * refusal is thrown. Otherwise the caller decides whether it is made at all.
   */
  readonly notRepeatedFrom?: number | undefined;
}

export interface KeyedCallOptions extends CallOptions {
  /** Identity of this one operation, ≤ 78 printable characters. The caller stores it before the call. */
  readonly requestId: string;
}
