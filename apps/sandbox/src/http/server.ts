import Fastify, { type FastifyInstance } from 'fastify';
import { beginCall, exchangeOf } from '../calls/begin-call.js';
import { strikeAfter, strikeBefore } from '../faults/fault-hooks.js';
import type { SandboxContext } from '../sandbox-context.js';
import { ApiError } from './api-error.js';
import { authenticate } from './authentication.js';
import { refuseBrokenRequest, refuseExpectation } from './broken-requests.js';
import { handleErrors } from './error-handler.js';
import { newDebugId } from './identifiers.js';
import { readJson } from './json-body.js';
import './request-state.js';

const LARGEST_BODY_BYTES = 256 * 1024;
/** A sender that trickles its request is cut off. */
const SLOWEST_REQUEST_MS = 30_000;
/** Node looks every 30 s unless told otherwise, which would double the limit. */
const SLOW_REQUEST_LOOK_MS = 1_000;

/** A bare server: error shape, JSON reading, limits, trailing slashes. Routes are registered by the caller. */
export function createServer(
  context: Pick<SandboxContext, 'logger'>,
  slowestRequestMs = SLOWEST_REQUEST_MS,
): FastifyInstance {
  const handleError = handleErrors(context.logger);
  const app = Fastify({
    logger: false,
    genReqId: newDebugId,
    bodyLimit: LARGEST_BODY_BYTES,
    requestTimeout: slowestRequestMs,
    http: {
      headersTimeout: slowestRequestMs,
      requestTimeout: slowestRequestMs,
      connectionsCheckingInterval: SLOW_REQUEST_LOOK_MS,
    },
    clientErrorHandler: refuseBrokenRequest,
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 100 },
    frameworkErrors: (error, request, reply) => void handleError(error, request, reply),
  });
  app.server.on('checkExpectation', refuseExpectation);
  app.decorateRequest('application', null);
  app.decorateRequest('call', null);
  app.decorateRequest('fault', null);
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(null, readJson(body as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
  app.setErrorHandler(handleError);
  app.setNotFoundHandler(() => {
    throw new ApiError('INVALID_RESOURCE_ID', [{ field: 'path', issue: 'No resource has this address' }]);
  });
  // Also on answers whose body lacks one: clients fall back to the header.
  app.addHook('onRequest', async (request, reply) => {
    reply.header('paypal-debug-id', request.id);
  });
  return app;
}

/** Makes every route of `api` a call of the interface: recorded, authenticated, open to faults. */
export function addCallHooks(api: FastifyInstance, context: SandboxContext): void {
  api.addHook('onRequest', async (request) => {
    const { operation } = request.routeOptions.config;
    if (operation === undefined) return;
    request.call = beginCall(request, operation);
    context.calls.begin(request.call);
    await authenticate(context, request);
  });
  api.addHook('preHandler', (request) => strikeBefore(context, request));
  api.addHook('onSend', async (request, reply, payload) => {
    const written = await strikeAfter(context, request, reply, payload);
    if (request.call !== null) {
      const exchange = exchangeOf(request, reply, payload, written);
      context.calls.finish(request.call, reply.statusCode, new Date(), exchange);
    }
    return written;
  });
}
