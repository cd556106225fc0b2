import type { Call } from './call.js';
import { credentialsIn, Redaction } from './redaction.js';
import { parsedAnswer, storedAnswerBody, storedRequestBody, TOO_MUCH_WAITING } from './stored-body.js';
import { transactionIdOf } from './transaction-id.js';

/** What went over the wire, as the service held it: unredacted, and in memory only. */
export interface Exchange {
  readonly url: string;
  readonly requestHeaders: Readonly<Record<string, unknown>>;
  readonly requestBody: unknown;
  readonly responseHeaders: Readonly<Record<string, unknown>>;
  /** Null where no text was written. */
  readonly responseBody: string | null;
}

export interface EndedCall {
  readonly call: Call;
  readonly status: number;
  readonly finishedAt: Date;
  readonly exchange: Exchange;
  /** False when too much is waiting to be written for bodies to be kept. */
  readonly keepsBodies: boolean;
}

/**
 * A row of the call history; nothing secret is in it. Pure.
 * @param knownSecrets secrets of the caller beside what its request and answer show.
 */
export function recordOf(ended: EndedCall, knownSecrets: readonly string[]): object {
  const { call, status, finishedAt, exchange, keepsBodies } = ended;
  const answer = parsedAnswer(exchange.responseBody);
  const { requestHeaders, responseHeaders } = exchange;
  const authorization = requestHeaders['authorization'];
  const redaction = new Redaction([
    ...credentialsIn(typeof authorization === 'string' ? authorization : undefined, answer),
    ...knownSecrets,
  ]);
  const request = keepsBodies
    ? storedRequestBody(redaction, exchange.requestBody, requestHeaders)
    : TOO_MUCH_WAITING;
  const response = keepsBodies
    ? storedAnswerBody(redaction, exchange.responseBody, answer)
    : TOO_MUCH_WAITING;
  const queryAt = exchange.url.indexOf('?');
  const record = {
    id: call.id,
    // The name of an application is no credential, even where somebody gave both the same value.
    client_id: call.clientId === null ? null : new Redaction([]).text(call.clientId),
    operation: call.operation,
    method: call.method,
    path: redaction.path(call.path),
    query: queryAt < 0 ? '' : redaction.query(exchange.url.slice(queryAt + 1)),
    request_id: call.requestId === null ? null : redaction.text(call.requestId),
    transaction_id: transactionIdOf(call.path, answer),
    status,
    fault: call.fault,
    started_at: call.startedAt,
    finished_at: finishedAt,
    request_headers: redaction.headers(requestHeaders),
    request_body: request.text,
    request_body_note: request.note,
    response_headers: redaction.headers(responseHeaders),
    response_body: response.text,
    response_body_note: response.note,
  };
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name,
      typeof value === 'string' ? storable(value) : value,
    ]),
  );
}

/** How much memory an exchange holds until it is written, in characters; a guess that is good enough for a limit. */
export function sizeOf({ requestHeaders, responseBody }: Exchange): number {
  return (Number(requestHeaders['content-length']) || 0) + (responseBody?.length ?? 0);
}

/** One sign that PostgreSQL cannot store would keep a whole batch from being written. */
function storable(text: string): string {
  return text.replaceAll('\0', '\uFFFD').toWellFormed();
}
