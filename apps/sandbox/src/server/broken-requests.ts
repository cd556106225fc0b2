import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { describeError, type ErrorDetail, type ErrorName } from '../http/api-error.js';
import { newDebugId } from '../http/identifiers.js';

type Refusal = readonly [status: number, name: ErrorName, detail: ErrorDetail];

const REFUSALS: ReadonlyMap<string | undefined, Refusal> = new Map<string | undefined, Refusal>([
  [
    'ERR_HTTP_REQUEST_TIMEOUT',
    [408, 'VALIDATION_ERROR', { field: 'body', issue: 'The request did not arrive in time' }],
  ],
  [
    'HPE_HEADER_OVERFLOW',
    [431, 'REQUEST_TOO_LARGE', { field: 'headers', issue: 'The headers are larger than 16 KiB' }],
  ],
]);
const NO_HTTP: Refusal = [400, 'MALFORMED_REQUEST', { field: 'request', issue: 'Is not valid HTTP' }];
const NO_SUCH_EXPECTATION: Refusal = [
  417,
  'VALIDATION_ERROR',
  { field: 'Expect', issue: 'Only 100-continue can be expected' },
];

/** Answers, in the documented shape, what never becomes a request; its connection is closed after that. */
export function refuseBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, headers, body } = answerOf(REFUSALS.get(error.code) ?? NO_HTTP);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`, () =>
    socket.destroy(),
  );
}

/** For Node's `checkExpectation`, which is emitted instead of a request. */
export function refuseExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const { status, headers, body } = answerOf(NO_SUCH_EXPECTATION);
  response.writeHead(status, headers).end(body);
}

function answerOf([status, name, detail]: Refusal) {
  const debugId = newDebugId();
  const body = JSON.stringify(describeError(name, [detail], debugId));
  const headers = {
    'paypal-debug-id': debugId,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  return { status, headers, body };
}
