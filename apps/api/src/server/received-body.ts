import type { FastifyInstance } from 'fastify';
import { Problem } from '../problems/problem.js';

/** Largest body in bytes: webhook events and requests are a few KiB. */
export const maxBodyBytes = 262_144;

/** A payout's request lists all of its receivers: 10,000 items of some hundred bytes each. */
export const longBodies: Readonly<Record<string, number>> = { 'POST /v1/payouts': 8_388_608 };

/** Deeper documents are nobody's payment. */
const maxNesting = 64;

/** A body as it came over the wire. Signatures are made over these bytes, so nothing may be parsed before. */
export class ReceivedBody {
  constructor(
    readonly contentType: string,
    readonly bytes: Buffer,
  ) {}
}

/** Makes Fastify hand every body over unparsed; what it means is decided behind the guards. */
export function receiveBodiesUnparsed(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (request, bytes, done) => {
    // Unpacking is refused rather than bounded: no caller of ours compresses a few KiB.
    const encoding = request.headers['content-encoding'];
    if (encoding !== undefined && encoding !== 'identity') {
      done(new Problem('unsupported-media-type', { detail: 'Compressed bodies are not accepted.' }));
      return;
    }
    done(null, new ReceivedBody(request.headers['content-type'] ?? '', bytes as Buffer));
  });
}

/**
 * The JSON document of a body; undefined when there is none, which the route's schema then allows or not.
 *
 * @throws {Problem} 415 for another media type, 400 for bytes that are not UTF-8 JSON of bounded depth.
 */
export function parseJsonBody(body: ReceivedBody | undefined): unknown {
  if (!body || body.bytes.length === 0) return undefined;
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(body.contentType)) {
    throw new Problem('unsupported-media-type', { detail: 'The body must be application/json.' });
  }
  return parseJson(body.bytes);
}

/** @throws {Problem} 400 for bytes that are not UTF-8 JSON of bounded depth. */
export function parseJson(bytes: Buffer): unknown {
  try {
    const text = strictUtf8.decode(bytes);
    if (nestingOf(bytes) > maxNesting) throw new RangeError('nested too deeply');
    return JSON.parse(text) as unknown;
  } catch {
    throw new Problem('malformed-request', { detail: 'The body is not a JSON document.' });
  }
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/** How deep the brackets go, strings left out; read off the bytes so that no parser has to follow them down. */
function nestingOf(bytes: Buffer): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (inString && byte === backslash) i++;
    else if (byte === quote) inString = !inString;
    else if (!inString && (byte === openBrace || byte === openBracket)) deepest = Math.max(deepest, ++depth);
    else if (!inString && (byte === closeBrace || byte === closeBracket)) depth--;
  }
  return deepest;
}

const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket] = Buffer.from('"\\{}[]');
