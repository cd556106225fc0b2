import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Places } from '../commands/places.js';
import { sendProblem } from '../problems/problem.filter.js';
import { Problem } from '../problems/problem.js';
import { isLong } from './body-limits.js';

/** What one API key may have under way at a time. */
export interface CallerLimits {
  /** Requests that wait for the next change of something. */
  readonly waits: number;
  /** All others. */
  readonly requests: number;
}

export const usualLimits: CallerLimits = { waits: 100, requests: 250 };

/** Each is megabytes of memory, and work that nobody else is answered during. */
const mostLongBodies = 1;

const callers = new AsyncLocalStorage<string>();

/** In whose line for the database the request that is being answered waits; undefined for what no request asked. */
export function callerNow(): string | undefined {
  return callers.getStore();
}

/**
 * Refuses what a key asks beyond its limits before a body is read, and lets the rest know who asks. A key that is not
 * known is left to the guards.
 */
export function limitCallers(
  server: FastifyInstance,
  keyIdOf: (request: FastifyRequest) => string | undefined,
  limits: CallerLimits = usualLimits,
): void {
  const most = { ...limits, longBodies: mostLongBodies };
  const underWay = new Places();
  /** How a request that has a place gives it back. */
  const places = new WeakMap<FastifyRequest, () => void>();
  const begun = new WeakSet<FastifyRequest>();
  server.addHook('onRequest', (request, reply, done) => {
    const keyId = keyIdOf(request);
    if (keyId === undefined) return done();
    const sort = sortOf(request);
    const giveBack = underWay.take(`${sort} ${keyId}`, most[sort]);
    if (!giveBack) {
      // A body that is still on its way is not waited for.
      if (request.method !== 'GET') void reply.header('connection', 'close');
      // At once: who floods the API is to cost it as little as can be.
      return sendProblem(request, reply, tooMany(most[sort], sort));
    }
    places.set(request, giveBack);
    // Of one that is begun the work goes on, also when its caller hangs up: its place is free when it is done.
    reply.raw.once('close', () => {
      if (!begun.has(request)) leave(request);
    });
    done();
  });
  server.addHook('onSend', async (request) => leave(request));
  // Where the body has been read: what reads it forgets in whose name it does.
  server.addHook('preHandler', (request, _reply, done) => {
    begun.add(request);
    const keyId = keyIdOf(request);
    callers.run(keyId === undefined ? callerWithoutKey(request) : `key ${keyId}`, done);
  });

  function leave(request: FastifyRequest): void {
    places.get(request)?.();
    places.delete(request);
  }
}

/**
 * Payers come back in floods, and webhooks have to be taken meanwhile. Deliveries of all applications are one caller:
 * they share their statements.
 */
function callerWithoutKey({ routeOptions: { url = '' } }: FastifyRequest): string {
  if (url.startsWith('/webhooks/')) return 'webhooks';
  return /\/(?:return|cancel|cancelled)$/.test(url) ? 'payers' : 'others';
}

type Sort = keyof CallerLimits | 'longBodies';

function sortOf(request: FastifyRequest): Sort {
  if (isLong(request)) return 'longBodies';
  const { wait } = request.query as { readonly wait?: unknown };
  return wait === undefined || wait === '0' ? 'requests' : 'waits';
}

const namesOf: Readonly<Record<Sort, string>> = {
  requests: 'requests',
  waits: 'requests that wait',
  longBodies: 'long bodies',
};

function tooMany(most: number, sort: Sort): Problem {
  return new Problem('too-many-requests', {
    detail: `This API key may have ${most} ${namesOf[sort]} under way at a time.`,
    headers: { 'retry-after': '1' },
  });
}
