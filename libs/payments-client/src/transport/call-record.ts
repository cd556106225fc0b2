import type { IncomingHttpHeaders } from 'node:http';
import type { FailureReason } from '../errors/payments-error.js';
import type { ExchangeResult } from './exchange.js';
import type { OperationName } from '../operations/operation.js';
import { redactBody, redactPath } from '../redaction/redaction.js';
import type { WireRequest } from './transport.js';

/** The context of an exchange, besides the bytes sent. */
export interface CallContext {
  readonly requestId: string | undefined;
  readonly attempt: number;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly debugId: string | undefined;
  readonly transactionId: string | undefined;
  /** Parsed answer body; undefined if there was none, or it was no JSON. */
  readonly answerBody: unknown;
}

const TOLD_REQUEST_HEADERS = new Set(['accept', 'accept-language', 'content-type', 'user-agent']);
const TOLD_RESPONSE_HEADERS = ['content-type', 'content-length', 'date', 'paypal-debug-id', 'retry-after'];

/**
 * One exchange with the provider, for the call history. `request`, `response` and the headers are redacted copies, made
 * on first access: a hook that only counts calls does not pay for them.
 */
export class CallRecord {
  readonly operation: OperationName;
  readonly method: string;
  /** Resource address relative to the base URL, with its query; a payer's approval token in it is redacted. */
  readonly path: string;
  /** Null when no answer began. */
  readonly status: number | null;
  /** Null when a complete answer came, whatever its status. */
  readonly failure: FailureReason | null;
  readonly requestId: string | undefined;
  readonly debugId: string | undefined;
  /** The resource that the exchange made or named: authorization, capture or sale before the payment. */
  readonly transactionId: string | undefined;
  readonly startedAt: Date;
  readonly durationMs: number;
  /** From 1, over all that was sent for one call; a replay with a renewed token counts. */
  readonly attempt: number;
  readonly #sent: WireRequest;
  readonly #result: ExchangeResult;
  readonly #answerBody: unknown;
  readonly #requestIdHeader: string;

  constructor(
    operation: OperationName,
    requestIdHeader: string,
    sent: WireRequest,
    result: ExchangeResult,
    context: CallContext,
  ) {
    this.operation = operation;
    this.method = sent.method;
    this.path = redactPath(sent.path);
    this.status = result.status ?? null;
    this.failure = result.kind === 'loss' ? result.reason : null;
    this.requestId = context.requestId;
    this.debugId = context.debugId;
    this.transactionId = context.transactionId;
    this.startedAt = context.startedAt;
    this.durationMs = context.durationMs;
    this.attempt = context.attempt;
    this.#sent = sent;
    this.#result = result;
    this.#answerBody = context.answerBody;
    this.#requestIdHeader = requestIdHeader.toLowerCase();
  }

  /** Redacted request body: parsed JSON, or null where none was sent. */
  get request(): unknown {
    // The token request's form contains only the grant type; its credentials are in a header that is not recorded.
    if (this.operation === 'token') return { grant_type: 'client_credentials' };
    return this.#sent.body === null ? null : redactBody(JSON.parse(this.#sent.body));
  }

  /** Redacted answer body; for a body that is not JSON only its size, because it cannot be redacted. */
  get response(): unknown {
    if (this.#answerBody !== undefined) return redactBody(this.#answerBody);
    if (this.#result.kind === 'loss' || this.#result.body.length === 0) return null;
    return { unreadableBytes: this.#result.body.length };
  }

  get requestHeaders(): Readonly<Record<string, string>> {
    const recorded: Record<string, string> = {};
    const { headers } = this.#sent;
    for (let at = 0; at + 1 < headers.length; at += 2) {
      const name = (headers[at] ?? '').toLowerCase();
      if (TOLD_REQUEST_HEADERS.has(name) || name === this.#requestIdHeader)
        recorded[name] = headers[at + 1] ?? '';
    }
    return recorded;
  }

  get responseHeaders(): Readonly<Record<string, string>> {
    return recordedHeaders(this.#result.headers);
  }
}

function recordedHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const recorded: Record<string, string> = {};
  for (const name of TOLD_RESPONSE_HEADERS) {
    const value = headers[name];
    if (typeof value === 'string') recorded[name] = value;
  }
  return recorded;
}
