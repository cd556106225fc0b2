import type { FastifyInstance } from 'fastify';
import { tagOf } from '../commands/if-match.js';

/** Sends the version of a resource as its entity tag too, so that a request can name it in `If-Match`. */
export function tagVersions(server: FastifyInstance): void {
  server.addHook('preSerialization', (_request, reply, payload, done) => {
    if (isVersioned(payload)) void reply.header('etag', tagOf(payload.version));
    done(null, payload);
  });
}

function isVersioned(payload: unknown): payload is { readonly version: number } {
  return (
    typeof payload === 'object' &&
    payload !== null &&
    'version' in payload &&
    typeof payload.version === 'number'
  );
}
