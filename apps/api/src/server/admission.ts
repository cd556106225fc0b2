import type { FastifyReply, FastifyRequest } from 'fastify';
import { authorize } from '../auth/api-key.guard.js';
import { allowTemporalUi, sessionTokenIn, withoutSession } from '../codec/codec-callers.js';
import type { ApiConfig } from '../injected/api-config.js';
import { Problem } from '../problems/problem.js';
import { addresseeOf } from '../webhooks/addressee.js';

/**
 * Refuses a request that is refused whatever its body says. The server calls it before it reads a body. Guards and
 * handlers run later, also for requests without a body.
 *
 * @throws {Problem} 401, 403 or 404
 */
export function admit(config: ApiConfig, request: FastifyRequest, reply: FastifyReply): void {
  const { method, is404 } = request;
  const { url = '', config: route } = request.routeOptions;
  // The server reads no body of a GET. Payers, who have no key, send nothing else.
  if (method === 'GET') return;
  if (is404) throw new Problem('not-found');
  if (url.startsWith('/v1/')) authorize(config, request);
  if (url.startsWith('/webhooks/')) addresseeOf(config, request);
  if (url.startsWith('/codec/')) {
    allowTemporalUi(config, request, reply);
    // A browser sends its preflight request without the cookie. The path is no secret: a wrong method is a 405.
    if (method !== 'OPTIONS' && route.isWrongMethod !== true && sessionTokenIn(config, request) === undefined)
      throw withoutSession();
  }
}
