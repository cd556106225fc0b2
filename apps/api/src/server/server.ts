import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { CallerLimits, RateLimits } from '../injected/api-config.js';
import { refuseUnread } from '../problems/problem.filter.js';
import { problemOfError } from '../problems/problem-of-error.js';
import { Problem, kindOfStatus } from '../problems/problem.js';
import { secureAnswers } from './security-headers.js';
import { bodyLimitOf, usualBodyBytes } from './body-limits.js';
import { limitCallers } from './caller-limits.js';
import { tagVersions } from './entity-tags.js';
import { type Rate, limitRates } from './rate-limits.js';
import type { Telemetry } from '../injected/telemetry.js';
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
  readonly telemetry?: Telemetry | undefined;
  readonly callerLimits?: CallerLimits | undefined;
  /** What the request counts against; undefined if its rate is not limited. */
  readonly rateOf: (request: FastifyRequest) => Rate | undefined;
  readonly rateLimits?: RateLimits | undefined;
  readonly maxConnections?: number | undefined;
  /** Proxies whose `X-Forwarded-For` is believed. */
  readonly trustedProxies?: string | undefined;
}

/** Fastify with its limits, unparsed bodies, security headers, request ids and one log line per request. */
export async function createAdapter(
  logger: Logger,
  { requestTimeoutMs = 15_000, keyIdOf, accessOf, trustedProxies, ...options }: ServerOptions,
): Promise<FastifyAdapter> {
  /** Requests whose address cannot be read, with the answer to them. */
  const unreadable = new WeakMap<FastifyRequest['raw'], Problem>();
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
    frameworkErrors: (error: Error, { raw }: FastifyRequest, reply: FastifyReply) => {
      unreadable.set(raw, problemOfError(error));
      // Treated as a request of the root address, so that headers, limits and the log apply to it.
      raw.url = '/';
      server.routing(raw, reply.raw);
    },
    clientErrorHandler: (error, socket) => refuseUnreadable(error, socket),
  });
  const server: FastifyInstance = adapter.getInstance();
  // Node closes connections beyond it at once.
  server.server.maxConnections = options.maxConnections ?? Number.POSITIVE_INFINITY;
  receiveBodiesUnparsed(server);
  limitBodies(server);
  // First, so that refusals are counted as well.
  if (options.telemetry) observeRequests(server, options.telemetry);
  await secureAnswers(server);
  await limitRates(server, options.rateOf, keyIdOf, options.rateLimits);
  // Our own hooks use callbacks: promises would be the largest cost of a small request.
  server.addHook('onRequest', (request, reply, done) => {
    try {
      const problem = unreadable.get(request.raw);
      if (problem) throw problem;
      options.admit(request, reply);
    } catch (error) {
      return refuseUnread(request, reply, problemOfError(error));
    }
    done();
  });
  limitCallers(server, keyIdOf, options.callerLimits);
  tagVersions(server);
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
  cutOffUntakenAnswers(server, 4 * requestTimeoutMs);
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

/** A caller that takes nothing of its answer for so long has gone, or wants to fill the memory. */
function cutOffUntakenAnswers(server: FastifyInstance, idleMs: number): void {
  server.addHook('onSend', (_request, { raw }, _payload, done) => {
    // Node takes the limit back with the end of the answer.
    raw.setTimeout(idleMs, () => raw.destroy());
    done();
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
