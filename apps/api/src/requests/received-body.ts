import type { FastifyInstance } from 'fastify';
import { Problem, invalid } from '../problems/problem.js';
import { excessIn, longestName } from './document-size.js';
import { repeatedName } from './repeated-name.js';

/** A body as received. Signatures cover these bytes, so they must be checked before parsing. */
export class ReceivedBody {
  constructor(
    readonly contentType: string,
    readonly bytes: Buffer,
  ) {}
}

/** Makes Fastify pass every body on unparsed; it is parsed after the guards. */
export function receiveBodiesUnparsed(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (request, bytes, done) => {
    // Compression is refused rather than bounded: nobody needs it for a few KiB.
    const encoding = request.headers['content-encoding'];
    if (encoding !== undefined && encoding !== 'identity') {
      done(new Problem('unsupported-media-type', { detail: 'Compressed bodies are not accepted.' }));
      return;
    }
    done(null, new ReceivedBody(request.headers['content-type'] ?? '', bytes as Buffer));
  });
}

/**
 * The JSON document of a body; undefined without a body (the route's schema decides whether that is allowed).
 *
 * @throws {Problem} 415 for another media type, 400 for bytes that are not UTF-8 JSON of bounded depth or name a field twice,
 *   422 for a list of too many entries, 413 for a document of too many values.
 */
export function parseJsonBody(body: ReceivedBody | undefined): unknown {
  if (!body || body.bytes.length === 0) return undefined;
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(body.contentType)) {
    throw new Problem('unsupported-media-type', { detail: 'The body must be application/json.' });
  }
  const document = parseJson(body.bytes);
  const repeated = repeatedName(body.bytes, document);
  if (repeated !== undefined) {
    const name = JSON.stringify(repeated.slice(0, longestName));
    throw new Problem('malformed-request', { detail: `The body names ${name} twice in one object.` });
  }
  return document;
}

/** @throws {Problem} 400, 413 or 422. */
export function parseJson(bytes: Buffer): unknown {
  const excess = excessIn(bytes);
  if (excess?.what === 'entries') {
    throw invalid({ pointer: excess.pointer, detail: `must hold at most ${excess.most} items` });
  }
  if (excess?.what === 'values') {
    throw new Problem('content-too-large', { detail: `The body may hold at most ${excess.most} values.` });
  }
  try {
    if (excess) throw new RangeError('nested too deeply');
    return JSON.parse(strictUtf8.decode(bytes)) as unknown;
  } catch {
    throw new Problem('malformed-request', { detail: 'The body is not a valid JSON document.' });
  }
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });
