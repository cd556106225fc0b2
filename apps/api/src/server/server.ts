import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { sendProblem } from '../problems/problem.filter.js';
import { problemOfError } from '../problems/problem-of-error.js';
import { Problem, kindOfStatus } from '../problems/problem.js';
import { secure } from './security-headers.js';
import { bodyLimitOf, mayBeLong, usualBodyBytes } from './body-limits.js';
import { type CallerLimits, limitCallers } from './caller-limits.js';
import { receiveBodiesUnparsed } from './received-body.js';

/** Answers that have just been given find their way out before a look finds nothing left to do. */
const closingLookMs = 50;
/** For who sends or reads slowly: containers are given ten seconds to end. */
const closingGraceMs = 6_000;

export interface ServerOptions {
  /** How long a request may take to arrive, in milliseconds. */
  readonly requestTimeoutMs?: number | undefined;
  /** Throws for a request that comes without a valid API key. */
  readonly authenticate: (request: FastifyRequest) => unknown;
  /** The id of the API key that came with a request, if a valid one did. */
  readonly keyIdOf: (request: FastifyRequest) => string | undefined;
  readonly callerLimits?: CallerLimits | undefined;
}

/** Fastify with its limits, unparsed bodies, security headers, request ids and one log line per request. */
export function createAdapter(
  logger: Logger,
  { requestTimeoutMs = 15_000, authenticate, keyIdOf, callerLimits }: ServerOptions,
): FastifyAdapter {
  const adapter = new FastifyAdapter({
    bodyLimit: usualBodyBytes,
    // Previews of links and scanners of mails ask by HEAD: a payer's cancellation is none of theirs.
    exposeHeadRoutes: false,
    requestTimeout: requestTimeoutMs,
    http: {
      headersTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.min(2_000, requestTimeoutMs),
    },
    routerOptions: { maxParamLength: 512 },
    genReqId: () => `req_${randomUUID().replaceAll('-', '').slice(0, 24)}`,
    // Fastify's own request log would hold addresses, and addresses hold tokens and the webhook secret.
    logger: false,
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
      secure(request, reply);
      sendProblem(request, reply, problemOfError(error));
    },
    clientErrorHandler: (error, socket) => refuseUnreadable(error, socket),
  });
  const server: FastifyInstance = adapter.getInstance();
  receiveBodiesUnparsed(server);
  limitBodies(server, authenticate);
  // Hooks call back: a promise for each of them is what a small request costs most.
  server.addHook('onRequest', (request, reply, done) => {
    secure(request, reply);
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
    });
    done();
  });
  closeConnectionsOnceClosing(server);
  return adapter;
}

/**
 * Long bodies only where they are needed, and from callers that are known: everywhere else, and from anybody else, one is
 * refused before it is read. The guards come after it.
 */
function limitBodies(server: FastifyInstance, authenticate: ServerOptions['authenticate']): void {
  server.addHook('onRoute', (route) => {
    const limit = bodyLimitOf(route);
    if (limit !== undefined) route.bodyLimit = limit;
    if (!mayBeLong(route)) return;
    route.onRequest = (request, reply, done) => {
      try {
        authenticate(request);
        done();
      } catch (error) {
        // What is still on its way is not waited for.
        void reply.header('connection', 'close');
        done(error as Error);
      }
    };
  });
}

/**
 * Once closing, connections end with what is being answered on them. Node would also wait for those on which nothing has
 * been asked yet, and for a request that never comes to its end, as long as a request may take.
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
    const look = setInterval(() => {
      if (answering === 0) server.server.closeAllConnections();
    }, closingLookMs);
    const cutOff = setTimeout(() => server.server.closeAllConnections(), closingGraceMs);
    server.server.once('close', () => {
      clearInterval(look);
      clearTimeout(cutOff);
    });
  });
}

/** For what is not HTTP, or never ended: there is no request yet to answer through. */
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
