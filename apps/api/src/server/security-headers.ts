import type { FastifyReply, FastifyRequest } from 'fastify';

const headers = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

/** Answers load nothing and are framed nowhere. */
const answerPolicy = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** The page to try the API loads its own files only; Swagger UI writes styles inline. */
const docsPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** Headers of every answer, refusals included. */
export function secure(request: FastifyRequest, reply: FastifyReply): void {
  const isDocs = /^\/docs(?:[/?]|$)/.test(request.raw.url ?? '');
  void reply.headers({
    ...headers,
    'content-security-policy': isDocs ? docsPolicy : answerPolicy,
    'x-request-id': request.id,
  });
}
