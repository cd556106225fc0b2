import type { FastifyRequest, RouteOptions } from 'fastify';

/** Largest body in bytes where nothing else is said: an order is a few KiB, also where it spells every letter as an escape. */
export const usualBodyBytes = 65_536;

/** The provider's events, and pages of histories to decrypt. */
const otherBodies: readonly (readonly [route: string, bytes: number])[] = [
  ['POST /webhooks/', 262_144],
  ['POST /codec/', 262_144],
];

/** A payout's request lists all of its receivers: 10,000 items of some hundred bytes each. */
const longBodies: Readonly<Record<string, number>> = { 'POST /v1/payouts': 8_388_608 };

/** Bytes that a route takes; undefined for the usual. */
export function bodyLimitOf(route: Pick<RouteOptions, 'method' | 'url'>): number | undefined {
  const name = `${String(route.method)} ${route.url}`;
  return longBodies[name] ?? otherBodies.find(([start]) => name.startsWith(start))?.[1];
}

export function mayBeLong(route: Pick<RouteOptions, 'method' | 'url'>): boolean {
  return `${String(route.method)} ${route.url}` in longBodies;
}

/** True for a request that makes use of a long body's limit, as far as its headers tell. */
export function isLong({ method, headers, routeOptions }: FastifyRequest): boolean {
  if (!mayBeLong({ method, url: routeOptions.url ?? '' })) return false;
  const length = headers['content-length'];
  return length === undefined || Number(length) > usualBodyBytes;
}
