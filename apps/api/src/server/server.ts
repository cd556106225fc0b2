import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { CallerLimits } from '../injected/api-config.js';
import { refuseUnread, sendProblem } from '../problems/problem.filter.js';
import { problemOfError } from '../problems/problem-of-error.js';
import { Problem, kindOfStatus } from '../problems/problem.js';
import { secure } from './security-headers.js';
import { bodyLimitOf, usualBodyBytes } from './body-limits.js';
import { limitCallers } from './caller-limits.js';
import type { Observation } from '../injected/observation.js';
import { observeRequests, traceIdOf } from './observed-requests.js';
import { receiveBodiesUnparsed } from '../requests/received-body.js';

/** The interval between checks for open requests while closing. It leaves time to send the last answers. */
const closingLookMs = 50;
/** The time that slow callers have to finish while closing. Containers are killed after ten seconds. */
const closingGraceMs = 6_000;

export interface ServerOptions {
  /** How long a request may take to arrive, in milliseconds. */
  readonly requestTimeoutMs?: number | undefined;
  /** Throws a problem for a request that is refused whatever its body says. */
  readonly admit: (request: FastifyRequest, reply: FastifyReply) => void;
  /** The id of the request's API key; undefined without a valid one. */
  readonly keyIdOf: (request: FastifyRequest) => string | undefined;
  /** Who asked and whether it was let in, for the log line of the request. */
  readonly accessOf: (request: FastifyRequest, reply: FastifyReply) => object | undefined;
  readonly observation?: Observation | undefined;
  readonly callerLimits?: CallerLimits | undefined;
  /** Proxies whose `X-Forwarded-For` is believed. */
  readonly trustedProxies?: string | undefined;
}

/** Fastify with its limits, unparsed bodies, security headers, request ids and one log line per request. */
export function createAdapter(logger: Logger, options: ServerOptions): FastifyAdapter {
  const { requestTimeoutMs = 15_000, admit, keyIdOf, accessOf, callerLimits, trustedProxies } = options;
  const adapter = new FastifyAdapter({
    bodyLimit: usualBodyBytes,
    // Link previews and mail scanners send HEAD; such a request must not cancel a payment.
    exposeHeadRoutes: false,
    ...(trustedProxies !== undefined && { trustProxy: trustedProxies }),
    requestTimeout: requestTimeoutMs,
    http: {
      headersTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.min(2_000, requestTimeoutMs),
    },
    routerOptions: { maxParamLength: 512 },
    genReqId: () => `req_${randomUUID().replaceAll('-', '').slice(0, 24)}`,
    // Fastify's own request log contains URLs, and these contain tokens and the webhook secret.
    logger: false,
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
      secure(request, reply);
      sendProblem(request, reply, problemOfError(error));
    },
    clientErrorHandler: (error, socket) => refuseUnreadable(error, socket),
  });
  const server: FastifyInstance = adapter.getInstance();
  receiveBodiesUnparsed(server);
  limitBodies(server);
  if (options.observation) observeRequests(server, options.observation);
  // Hooks use callbacks: promises would be the largest cost of a small request.
  server.addHook('onRequest', (request, reply, done) => {
    secure(request, reply);
    done();
  });
  server.addHook('onRequest', (request, reply, done) => {
    try {
      admit(request, reply);
    } catch (error) {
      return refuseUnread(request, reply, problemOfError(error));
    }
    done();
  });
  limitCallers(server, keyIdOf, callerLimits);
  server.addHook('onResponse', (request, reply, done) => {
    logger.info({
      requestId: request.id,
      method: request.method,
      route: request.routeOptions.url,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
      traceId: traceIdOf(request),
      ...accessOf(request, reply),
    });
    done();
  });
  closeConnectionsOnceClosing(server);
  return adapter;
}

/** Each route takes bodies of a length that it needs; a longer one is refused before it is read. */
function limitBodies(server: FastifyInstance): void {
  server.addHook('onRoute', (route) => {
    const limit = bodyLimitOf(route);
    if (limit !== undefined) route.bodyLimit = limit;
  });
}

/**
 * While closing, a connection ends with its current answer. Node itself would also wait for idle connections, and for
 * incomplete requests until the request timeout.
 */
function closeConnectionsOnceClosing(server: FastifyInstance): void {
  let isClosing = false;
  let answering = 0;
  server.addHook('onRequest', (_request, reply, done) => {
    answering += 1;
    reply.raw.once('close', () => {
      answering -= 1;
    });
    done();
  });
  server.addHook('onSend', (_request, reply, _payload, done) => {
    if (isClosing) void reply.header('connection', 'close');
    done();
  });
  server.addHook('preClose', async () => {
    isClosing = true;
    const check = setInterval(() => {
      if (answering === 0) server.server.closeAllConnections();
    }, closingLookMs);
    const cutOff = setTimeout(() => server.server.closeAllConnections(), closingGraceMs);
    server.server.once('close', () => {
      clearInterval(check);
      clearTimeout(cutOff);
    });
  });
}

/** Answers bytes that are not HTTP, or an incomplete request. Fastify has no request object for them yet. */
function refuseUnreadable(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const problem = new Problem(kindOfStatus(statusOfClientError(error.code)));
  const body = JSON.stringify(problem.document());
  socket.end(
    `HTTP/1.1 ${problem.status} ${problem.kind}\r\ncontent-type: application/problem+json\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}

function statusOfClientError(code: string | undefined): number {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 408;
  return code === 'HPE_HEADER_OVERFLOW' ? 431 : 400;
}
