import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { CallerLimits } from '../injected/api-config.js';
import { Places } from '../commands/places.js';
import { refuseUnread } from '../problems/problem.filter.js';
import { Problem } from '../problems/problem.js';
import { isLong } from './body-limits.js';
import { asCaller, isReplay } from '../requests/caller-now.js';
import { PacedRefusals } from './paced-refusals.js';

export const usualLimits: CallerLimits = { waits: 100, lists: 5, requests: 250, refusals: 50 };

/** Each long body takes megabytes of memory and blocks the process while it is parsed. */
const mostLongBodies = 1;

/**
 * Refuses requests beyond the limits of their key before the body is read, and sets `callerNow` for the others. Slows
 * down refusals of any kind.
 */
export function limitCallers(
  server: FastifyInstance,
  keyIdOf: (request: FastifyRequest) => string | undefined,
  limits: CallerLimits = usualLimits,
): void {
  const most = { ...limits, longBodies: mostLongBodies };
  const underWay = new Places();
  const refusals = new PacedRefusals(limits.refusals);
  /** The function by which an admitted request gives its place back. */
  const places = new WeakMap<FastifyRequest, () => void>();
  const begun = new WeakSet<FastifyRequest>();
  server.addHook('onRequest', (request, reply, done) => {
    const keyId = keyIdOf(request);
    if (keyId === undefined) return done();
    const kind = kindOf(request);
    const release = underWay.take(`${kind} ${keyId}`, most[kind]);
    if (!release) return refuseUnread(request, reply, tooMany(most[kind], kind));
    places.set(request, release);
    // A request whose handler has begun keeps its place until it is done, even if the caller hangs up.
    reply.raw.once('close', () => {
      if (!begun.has(request)) leave(request);
    });
    done();
  });
  server.addHook('onSend', (request, reply, payload, done) => {
    // An answer that is not taken lies in memory; a stream of events has limits of its own.
    if (reply.raw.destroyed || isStream(payload)) leave(request);
    else reply.raw.once('finish', () => leave(request)).once('close', () => leave(request));
    // A failure is no answer from the key: the next repeat is carried out.
    if (isReplay(request) && reply.statusCode < 500) void reply.header('idempotent-replayed', 'true');
    refusals.pace(() => keyIdOf(request) ?? `address ${request.ip}`, reply, done);
  });
  // Not earlier: reading the body loses the AsyncLocalStorage context.
  server.addHook('preHandler', (request, _reply, done) => {
    begun.add(request);
    const keyId = keyIdOf(request);
    asCaller(keyId === undefined ? callerWithoutKey(request) : `key ${keyId}`, done, request);
  });

  function leave(request: FastifyRequest): void {
    places.get(request)?.();
    places.delete(request);
  }
}

/**
 * Payers and webhooks have separate queues, so that a flood of payers does not block deliveries. Deliveries of all
 * applications are one caller because they share SQL statements.
 */
function callerWithoutKey(request: FastifyRequest): string {
  const { url = '' } = request.routeOptions;
  if (url.startsWith('/webhooks/')) return 'webhooks';
  if (url.startsWith('/console')) return 'console';
  return isPayers(request) ? 'payers' : 'others';
}

/** True for the addresses to which the provider sends a payer's browser. */
export function isPayers({ method, routeOptions: { url = '' } }: FastifyRequest): boolean {
  return method === 'GET' && /\/(?:return|cancel|cancelled)$/.test(url);
}

function isStream(payload: unknown): boolean {
  return typeof payload === 'object' && payload !== null && 'pipe' in payload;
}

type RequestKind = Exclude<keyof CallerLimits, 'refusals'> | 'longBodies';

function kindOf(request: FastifyRequest): RequestKind {
  if (isLong(request)) return 'longBodies';
  // Regardless of the query: only a GET of one resource takes `wait`.
  if (request.method !== 'GET') return 'requests';
  if (readsMany(request)) return 'lists';
  const { wait } = request.query as { readonly wait?: unknown };
  return wait === undefined || wait === '0' ? 'requests' : 'waits';
}

/** True for a path that names more than the one resource of its last segment. A stream of events has limits of its own. */
function readsMany({ routeOptions: { url = '' } }: FastifyRequest): boolean {
  return url.startsWith('/v1/') && !/\/(?::\w+|events)$/.test(url);
}

const namesOf: Readonly<Record<RequestKind, string>> = {
  requests: 'requests',
  lists: 'lists',
  waits: 'long polls',
  longBodies: 'long bodies',
};

function tooMany(most: number, kind: RequestKind): Problem {
  return new Problem('too-many-requests', {
    detail: `This API key may have ${most} ${namesOf[kind]} under way at a time.`,
    headers: { 'retry-after': '1' },
  });
}
