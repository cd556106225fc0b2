import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiConfig } from '../injected/api-config.js';
import { Problem } from '../problems/problem.js';

export const sessionCookie = 'codec_session';

/** The origin of Temporal's UI. Only its pages may call from a browser. */
export function uiOriginOf({ temporal: { uiUrl } }: ApiConfig): string | undefined {
  return uiUrl === undefined ? undefined : new URL(uiUrl).origin;
}

/**
 * The token that a request shows, known or not; undefined without one. A browser sends the cookie from any page of the
 * site. It is accepted only from the page of Temporal's UI.
 */
export function sessionTokenIn(config: ApiConfig, { headers }: FastifyRequest): string | undefined {
  const [, bearer] = /^Bearer +([\w-]{43})$/i.exec(headers.authorization ?? '') ?? [];
  if (bearer !== undefined) return bearer;
  const uiOrigin = uiOriginOf(config);
  if (uiOrigin === undefined || headers.origin !== uiOrigin) return undefined;
  return /(?:^|; )codec_session=([\w-]{43})(?:;|$)/.exec(headers.cookie ?? '')?.[1];
}

/** No other page in a browser may read what is decrypted here. */
export function allowTemporalUi(
  config: ApiConfig,
  { headers: { origin } }: FastifyRequest,
  reply: FastifyReply,
): void {
  void reply.header('vary', 'origin');
  if (origin === undefined || origin !== uiOriginOf(config)) return;
  void reply.headers({
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': 'content-type, x-namespace, authorization, caller-type',
    'access-control-max-age': '600',
  });
}

export function withoutSession(): Problem {
  return new Problem('unauthorized', {
    detail: 'Open a session with POST /v1/codec-sessions; one lasts an hour.',
    headers: { 'www-authenticate': 'Bearer realm="codec"' },
  });
}
