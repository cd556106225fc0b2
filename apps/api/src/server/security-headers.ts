import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';

type Policy = Readonly<Record<string, readonly string[]>>;

/** Answers load nothing and cannot be framed. */
const answerPolicy: Policy = {
  'default-src': ["'none'"],
  'frame-ancestors': ["'none'"],
  'base-uri': ["'none'"],
  'form-action': ["'none'"],
};

/** The documentation page loads only its own files. Swagger UI uses inline styles. */
const docsPolicy: Policy = {
  ...answerPolicy,
  'script-src': ["'self'"],
  'style-src': ["'self'", "'unsafe-inline'"],
  'img-src': ["'self'", 'data:'],
  'connect-src': ["'self'"],
};

/** Pages of the console load its script and its style; their forms lead nowhere else. */
const consolePolicy: Policy = {
  ...answerPolicy,
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'img-src': ["'self'"],
  'connect-src': ["'self'"],
  'form-action': ["'self'"],
};

const usual = {
  ...withPolicy(answerPolicy),
  // Browsers ignore it over plain http. Subdomains are not ours to decide about.
  strictTransportSecurity: { maxAge: 31_536_000, includeSubDomains: false },
  xFrameOptions: { action: 'deny' as const },
  // A shop may open the payer's approval in a window of its own, which must find it again after our redirect.
  crossOriginOpenerPolicy: false,
};
/** A page that opens these pages gets no access to their window. */
const ownWindow = { crossOriginOpenerPolicy: { policy: 'same-origin' as const } };

/** Sets the headers of every answer, including problems. To be called before there are routes and other hooks. */
export async function secureAnswers(server: FastifyInstance): Promise<void> {
  server.addHook('onRoute', (route) => {
    if (isBelow(route.url, '/docs')) route.helmet = { ...ownWindow, ...withPolicy(docsPolicy) };
    if (isBelow(route.url, '/console')) route.helmet = { ...ownWindow, ...withPolicy(consolePolicy) };
  });
  await server.register(helmet, usual);
  server.addHook('onRequest', (request, reply, done) => {
    void reply.headers({ 'cache-control': 'no-store', 'x-request-id': request.id });
    done();
  });
}

function withPolicy(policy: Policy) {
  const directives = Object.fromEntries(
    Object.entries(policy).map(([name, sources]) => [name, [...sources]]),
  );
  return { contentSecurityPolicy: { useDefaults: false, directives } };
}

function isBelow(url: string, start: string): boolean {
  return url === start || url.startsWith(`${start}/`);
}
