import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { keyIdOf } from '../auth/api-key.guard.js';
import type { ApiConfig, RateLimits } from '../injected/api-config.js';
import { refuseUnread } from '../problems/problem.filter.js';
import { Problem } from '../problems/problem.js';
import { isAddressed } from '../webhooks/addressee.js';
import { callbackPath } from '../sign-in/identity-provider.js';
import { isPayers } from './caller-limits.js';

export const usualRates: RateLimits = {
  requestsPerKey: 120_000,
  requestsPerAddress: 12_000,
  failuresPerAddress: 1_000,
  signInsPerAddress: 30,
};

export type Rate = keyof RateLimits;

const minuteMs = 60_000;

/** Refuses requests beyond the rate of their key or address before the body is read. Each process counts for itself. */
export async function limitRates(
  server: FastifyInstance,
  rateOf: (request: FastifyRequest) => Rate | undefined,
  keyIdOfRequest: (request: FastifyRequest) => string | undefined,
  limits: RateLimits = usualRates,
): Promise<void> {
  await server.register(rateLimit, { global: false, timeWindow: minuteMs });
  const byKey = { keyGenerator: (request: FastifyRequest) => keyIdOfRequest(request) ?? '' };
  // Of an IPv6 address, its network of 64 bits counts.
  const counters = {
    requestsPerKey: server.createRateLimit({ max: limits.requestsPerKey, ...byKey }),
    requestsPerAddress: server.createRateLimit({ max: limits.requestsPerAddress }),
    failuresPerAddress: server.createRateLimit({ max: limits.failuresPerAddress }),
    signInsPerAddress: server.createRateLimit({ max: limits.signInsPerAddress }),
  } satisfies Record<Rate, unknown>;
  server.addHook('onRequest', async (request, reply) => {
    const rate = rateOf(request);
    if (!rate) return undefined;
    const counted = await counters[rate](request);
    if (counted.isAllowed) return undefined;
    const { max, remaining, ttlInSeconds: seconds, isExceeded } = counted;
    void reply.headers({
      'ratelimit-limit': max,
      'ratelimit-remaining': remaining,
      'ratelimit-reset': seconds,
    });
    if (!isExceeded) return undefined;
    refuseUnread(request, reply, tooOften(rate, max, seconds));
    return reply;
  });
}

/**
 * What a request counts against; undefined if it is never refused for its rate: a delivery to a secret address of ours,
 * because it may be genuine, and probes. Requests with a valid key never count against their address, so nobody else
 * can use up what the key may send.
 */
export function rateOf(config: ApiConfig, request: FastifyRequest): Rate | undefined {
  const { url = '' } = request.routeOptions;
  if (url === '/healthz' || url === '/readyz') return undefined;
  if (url.startsWith('/webhooks/')) return isAddressed(config, request) ? undefined : 'failuresPerAddress';
  if (keyIdOf(config, request) !== undefined) return 'requestsPerKey';
  if (url.startsWith('/v1/') && !isPayers(request)) return 'failuresPerAddress';
  return signIns.has(`${request.method} ${url}`) ? 'signInsPerAddress' : 'requestsPerAddress';
}

/** Each costs the hash of a password, or a call to the identity provider, of which few are made at a time. */
const signIns: ReadonlySet<string> = new Set(['POST /console/sign-in', `GET ${callbackPath}`]);

const subjects: Readonly<Record<Rate, string>> = {
  requestsPerKey: 'This API key may send',
  requestsPerAddress: 'An address may send, without an API key,',
  failuresPerAddress: 'An address may send, with wrong credentials,',
  signInsPerAddress: 'An address may try to sign in with',
};

function tooOften(rate: Rate, max: number, seconds: number): Problem {
  return new Problem('too-many-requests', {
    code: 'rate_limit_exceeded',
    detail: `${subjects[rate]} ${max} requests in a minute.`,
    headers: { 'retry-after': String(seconds) },
  });
}
