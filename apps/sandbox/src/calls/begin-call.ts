import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Operation } from '../http/operations.js';
import type { Call } from './call.js';
import type { Exchange } from './call-record.js';
import { credentialsIn, Redaction } from './redaction.js';

export function beginCall(request: FastifyRequest, operation: Operation): Call {
  const requestId = request.headers['paypal-request-id'];
  const path = request.url.split('?', 1)[0] ?? '';
  const redaction = new Redaction(credentialsIn(request.headers.authorization, undefined));
  return {
    id: request.id,
    operation,
    method: request.method,
    path: redaction.path(path),
    // Shortened afterwards: half a card's number would not be recognized.
    requestId: typeof requestId === 'string' ? redaction.text(requestId).slice(0, 78) : null,
    startedAt: new Date(),
    clientId: null,
    fault: null,
  };
}

/**
 * What the history keeps of a call that has its answer, by reference; the writer redacts it later.
 * @param payload the operation's answer; `written`: what was sent, which a fault may have changed.
 */
export function exchangeOf(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  written: unknown,
): Exchange {
  return {
    url: request.url,
    requestHeaders: request.headers,
    requestBody: request.body,
    responseHeaders: reply.getHeaders(),
    responseBody: [written, payload].find((text) => typeof text === 'string') ?? null,
  };
}
