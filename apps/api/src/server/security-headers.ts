import type { FastifyReply, FastifyRequest } from 'fastify';

const headers = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  // Browsers ignore it over plain http. Subdomains are not ours to decide about.
  'strict-transport-security': 'max-age=31536000',
};

/** Answers load nothing and cannot be framed. */
const answerPolicy = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** The documentation page loads only its own files. Swagger UI uses inline styles. */
const docsPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** Sets the headers of every answer, including problems. */
export function secure(request: FastifyRequest, reply: FastifyReply): void {
  const isDocs = /^\/docs(?:[/?]|$)/.test(request.raw.url ?? '');
  void reply.headers({
    ...headers,
    'content-security-policy': isDocs ? docsPolicy : answerPolicy,
    'x-request-id': request.id,
  });
}
