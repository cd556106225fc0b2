import { once } from 'node:events';
import {
  connect,
  constants,
  createSecureServer,
  type Http2SecureServer,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { Authority } from './certificates.js';

/** The name in its certificate. */
export const gateName = 'temporal.example';

interface Demands {
  /** A certificate of the authority. */
  readonly certificate?: boolean;
  readonly apiKey?: string;
}

/**
 * A gRPC proxy in front of Temporal's frontend that demands TLS and what else it is told, as Temporal Cloud and guarded
 * clusters do. The development server of Temporal demands nothing.
 */
export async function openTemporalGate(authority: Authority, temporalAddress: string, demands: Demands) {
  const { cert, key } = await authority.certify(gateName);
  const ca = authority.certificate.toString('pem');
  const isMutual = demands.certificate === true;
  const server = createSecureServer({ cert, key, ca, requestCert: isMutual, rejectUnauthorized: isMutual });
  const frontend = connect(`http://${temporalAddress}`);
  frontend.on('error', () => undefined);
  const sessions = new Set<ServerHttp2Session>();
  let passed = 0;
  server.on('session', (session) => {
    sessions.add(session);
    session.on('close', () => sessions.delete(session));
    session.on('error', () => undefined);
  });
  server.on('stream', (stream, headers) => {
    stream.on('error', () => undefined);
    if (demands.apiKey !== undefined && headers.authorization !== `Bearer ${demands.apiKey}`) {
      stream.respond(
        { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': '16' },
        { endStream: true },
      );
      return;
    }
    passed += 1;
    const call = frontend.request({ ...headers, ':scheme': 'http', ':authority': temporalAddress });
    call.on('error', () => stream.close(constants.NGHTTP2_CANCEL));
    stream.on('aborted', () => call.close(constants.NGHTTP2_CANCEL));
    call.on('response', (answer, flags) => {
      if (stream.destroyed) return;
      const isLast = (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0;
      stream.respond(answer, isLast ? { endStream: true } : { waitForTrailers: true });
      if (!isLast) relayTrailers(stream, call);
    });
    stream.pipe(call);
  });
  return {
    address: `localhost:${await listening(server)}`,
    /** How many calls it has let through. */
    passed: () => passed,
    close: () => {
      for (const session of sessions) session.destroy();
      server.close();
      frontend.destroy();
    },
  };
}

function relayTrailers(
  stream: ServerHttp2Stream,
  call: ReturnType<ReturnType<typeof connect>['request']>,
): void {
  let trailers = {};
  call.on('trailers', (received) => (trailers = received));
  stream.on('wantTrailers', () => stream.sendTrailers(trailers));
  call.pipe(stream);
}

async function listening(server: Http2SecureServer): Promise<number> {
  server.listen(0, 'localhost');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
