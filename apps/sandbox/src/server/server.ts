import Fastify, { type FastifyInstance } from 'fastify';
import { beginCall, exchangeOf } from '../calls/begin-call.js';
import type { SandboxContext } from '../context/sandbox-context.js';
import { ApiError } from '../http/api-error.js';
import { newDebugId } from '../http/identifiers.js';
import { readJson } from '../http/json-body.js';
import { authenticate } from './authentication.js';
import { refuseBrokenRequest, refuseExpectation } from './broken-requests.js';
import { handleErrors } from './error-handler.js';
import { applyFaultAfter, applyFaultBefore } from './fault-hooks.js';
import './request-state.js';

const LARGEST_BODY_BYTES = 256 * 1024;
/** A sender that is too slow is disconnected. */
const SLOWEST_REQUEST_MS = 30_000;
/** Node checks every 30 s by default, which would double the limit. */
const SLOW_REQUEST_LOOK_MS = 1_000;

/** A bare server: error shape, JSON reading, limits, trailing slashes. The caller registers the routes. */
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
  // A body of no bytes is none, whatever its type: `curl -d ''` names a form's.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    if (body.length === 0) done(null, undefined);
    else done(new ApiError('UNSUPPORTED_MEDIA_TYPE'));
  });
  app.setErrorHandler(handleError);
  app.setNotFoundHandler(() => {
    throw new ApiError('INVALID_RESOURCE_ID', [{ field: 'path', issue: 'No resource has this address' }]);
  });
  // Even on answers whose body lacks one: clients then use the header.
  app.addHook('onRequest', async (request, reply) => {
    reply.header('paypal-debug-id', request.id);
  });
  return app;
}

/** Makes every route of `api` a call of the interface: recorded, authenticated, affected by faults. */
export function addCallHooks(api: FastifyInstance, context: SandboxContext): void {
  api.addHook('onRequest', async (request) => {
    const { operation } = request.routeOptions.config;
    if (operation === undefined) return;
    request.call = beginCall(request, operation);
    context.calls.begin(request.call);
    await authenticate(context, request);
  });
  api.addHook('preHandler', (request) => applyFaultBefore(context, request));
  api.addHook('onSend', async (request, reply, payload) => {
    const written = await applyFaultAfter(context, request, reply, payload);
    if (request.call !== null) {
      const exchange = exchangeOf(request, reply, payload, written);
      context.calls.finish(request.call, reply.statusCode, new Date(), exchange);
    }
    return written;
  });
}
