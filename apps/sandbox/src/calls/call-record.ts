import type { Call } from './call.js';
import { excerptOf, type Excerpt } from './excerpt.js';
import { credentialsIn, Redaction } from './redaction.js';
import { parsedAnswer, storedAnswerBody, storedRequestBody } from './stored-body.js';
import { transactionIdOf } from './transaction-id.js';

/** The HTTP exchange as the service held it: unredacted, and in memory only. */
export interface Exchange {
  readonly url: string;
  readonly requestHeaders: Readonly<Record<string, unknown>>;
  readonly requestBody: unknown;
  readonly responseHeaders: Readonly<Record<string, unknown>>;
  /** Null when no text was written. */
  readonly responseBody: string | null;
}

export interface FinishedCall {
  readonly call: Call;
  readonly status: number;
  readonly finishedAt: Date;
  readonly exchange: Exchange;
}

/** The part of an exchange that is held until it is written: of the request's body no more than can be kept. */
export interface HeldExchange extends Omit<Exchange, 'requestBody'> {
  readonly requestBody: Excerpt;
}

export interface EndedCall extends Omit<FinishedCall, 'exchange'> {
  /** Null when too much is waiting to be written. */
  readonly exchange: HeldExchange | null;
  /** Of the exchange, in characters. */
  readonly size: number;
}

/** @returns the exchange as it can wait to be written, and the characters that it holds in memory meanwhile. */
export function held(exchange: Exchange): { exchange: HeldExchange; size: number } {
  const requestBody = excerptOf(exchange.requestBody);
  const { url, requestHeaders, responseHeaders, responseBody } = exchange;
  const headers = [...Object.entries(requestHeaders), ...Object.entries(responseHeaders)];
  const size =
    url.length +
    requestBody.size +
    (responseBody?.length ?? 0) +
    headers.reduce(
      (sum, [name, value]) => sum + name.length + (typeof value === 'string' ? value.length : 0),
      0,
    );
  return { exchange: { ...exchange, requestBody }, size };
}

/**
 * A row of the call history, without secrets. Pure. When the exchange is not held, or cannot be redacted, the row has
 * the call only: the others must not wait for it.
 * @param knownSecrets secrets of the caller besides those in its request and answer.
 */
export function recordOf(ended: EndedCall, knownSecrets: readonly string[]): object {
  if (ended.exchange === null)
    return bareRecordOf(ended, knownSecrets, 'not kept: too much was waiting to be written');
  try {
    return wholeRecordOf(ended, ended.exchange, knownSecrets);
  } catch {
    return bareRecordOf(ended, knownSecrets, 'not kept: it could not be redacted');
  }
}

function wholeRecordOf(ended: EndedCall, exchange: HeldExchange, knownSecrets: readonly string[]): object {
  const { requestHeaders, responseHeaders } = exchange;
  const answer = parsedAnswer(exchange.responseBody);
  const authorization = requestHeaders['authorization'];
  const redaction = new Redaction([
    ...credentialsIn(typeof authorization === 'string' ? authorization : undefined, answer),
    ...knownSecrets,
  ]);
  const request = storedRequestBody(redaction, exchange.requestBody, requestHeaders);
  const response = storedAnswerBody(redaction, exchange.responseBody, answer);
  const queryAt = exchange.url.indexOf('?');
  return storable({
    ...callColumns(ended, redaction, answer),
    query: queryAt < 0 ? '' : redaction.query(exchange.url.slice(queryAt + 1)),
    request_headers: redaction.headers(requestHeaders),
    request_body: request.text,
    request_body_note: request.note,
    response_headers: redaction.headers(responseHeaders),
    response_body: response.text,
    response_body_note: response.note,
  });
}

function bareRecordOf(ended: EndedCall, knownSecrets: readonly string[], note: string): object {
  return storable({
    ...callColumns(ended, new Redaction(knownSecrets), undefined),
    query: '',
    request_body_note: note,
    response_body_note: note,
  });
}

function callColumns({ call, status, finishedAt }: EndedCall, redaction: Redaction, answer: unknown) {
  const path = redaction.path(call.path);
  const transactionId = transactionIdOf(path, answer);
  return {
    id: call.id,
    client_id: call.clientId,
    operation: call.operation,
    method: call.method,
    path,
    request_id: call.requestId === null ? null : redaction.text(call.requestId),
    // What looks like an id may be a secret that a caller made an answer repeat.
    transaction_id:
      transactionId === null || redaction.text(transactionId) === transactionId ? transactionId : null,
    status,
    fault: call.fault,
    started_at: call.startedAt,
    finished_at: finishedAt,
  };
}

/** One character that PostgreSQL cannot store would make the whole batch fail. */
function storable(record: object): object {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === 'string' ? value.replaceAll('\0', '\uFFFD').toWellFormed() : value,
    ]),
  );
}
