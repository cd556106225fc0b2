import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Trace } from '#observability';
import type { Telemetry } from '../injected/telemetry.js';

const traces = new WeakMap<FastifyRequest, Trace>();

/** The trace of a request; undefined unless traces are made. */
export function traceIdOf(request: FastifyRequest): string | undefined {
  return traces.get(request)?.traceId;
}

/**
 * Counts each request, and makes it a part of its caller's trace. Both know the route as it is registered, never the
 * address: addresses contain tokens.
 */
export function observeRequests(server: FastifyInstance, { metrics, tracing }: Telemetry): void {
  if (tracing) {
    server.addHook('onRequest', (request, _reply, done) => {
      const { method, headers, id, routeOptions } = request;
      const route = routeOptions.url;
      const attributes = { 'http.request.method': method, 'http.route': route, 'engine.request.id': id };
      const start = { name: `${method} ${route ?? 'unknown'}`, kind: 'server', attributes } as const;
      traces.set(request, tracing.begin({ ...start, from: headers }));
      done();
    });
    // Not earlier: reading the body loses the AsyncLocalStorage context.
    server.addHook('preHandler', (request, _reply, done) => {
      const trace = traces.get(request);
      if (trace) trace.within(done);
      else done();
    });
  }
  server.addHook('onResponse', (request, reply, done) => {
    const { statusCode: status, elapsedTime: ms } = reply;
    const { method, routeOptions } = request;
    metrics?.work.request({ method, route: routeOptions.url, status, ms });
    const attributes = { 'http.response.status_code': status };
    traces.get(request)?.end(attributes, status >= 500 ? String(status) : undefined);
    done();
  });
}
