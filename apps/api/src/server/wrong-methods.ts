import type { FastifyInstance } from 'fastify';
import { refuseUnread } from '../problems/problem.filter.js';
import { Problem } from '../problems/problem.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The address is known, and does not take the method. */
    isWrongMethod?: true;
  }
}

/**
 * Notes the routes that are registered from now on.
 *
 * @returns a function that makes every other method of their paths a 405. To be called once all routes are there.
 */
export function noteRoutes(server: FastifyInstance): () => void {
  const allowed = new Map<string, Set<string>>();
  server.addHook('onRoute', ({ url, method }) => {
    const known = allowed.get(url) ?? new Set();
    allowed.set(url, known);
    for (const one of [method].flat()) known.add(one);
  });
  return () => {
    for (const [url, known] of allowed) {
      const allow = [...known].toSorted().join(', ');
      const others = server.supportedMethods.filter((method) => !known.has(method));
      if (others.length > 0) refuse(server, url, { others, allow });
    }
  };
}

function refuse(
  server: FastifyInstance,
  url: string,
  { others, allow }: { readonly others: string[]; readonly allow: string },
): void {
  const detail = `The address takes ${allow}.`;
  const problem = new Problem('method-not-allowed', { detail, headers: { allow } });
  server.route({
    url,
    method: others,
    config: { isWrongMethod: true },
    // Before the body is read.
    onRequest: (request, reply) => refuseUnread(request, reply, problem),
    handler: () => undefined,
  });
}
