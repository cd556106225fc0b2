import type { FastifyRequest, RouteOptions } from 'fastify';

/** The default body limit in bytes. An order is a few KiB, even if every character is escaped. */
export const usualBodyBytes = 65_536;

/** Long for webhook events, and for pages of histories to decrypt. */
const otherBodies: readonly (readonly [route: string, bytes: number])[] = [
  ['POST /webhooks/', 262_144],
  ['POST /codec/', 262_144],
  // A browser's question whether it may call: nobody needs a body there.
  ['OPTIONS /', 1],
];

/** A payout's request lists all of its receivers: 10,000 items of some hundred bytes each. */
const longBodies: Readonly<Record<string, number>> = { 'POST /v1/payouts': 8_388_608 };

/** The body limit of a route in bytes; undefined for the default. */
export function bodyLimitOf(route: Pick<RouteOptions, 'method' | 'url'>): number | undefined {
  const name = `${String(route.method)} ${route.url}`;
  return longBodies[name] ?? otherBodies.find(([start]) => name.startsWith(start))?.[1];
}

/** True if the headers announce a body that is longer than the default limit. */
export function isLong({ method, headers, routeOptions }: FastifyRequest): boolean {
  if (!(`${method} ${routeOptions.url ?? ''}` in longBodies)) return false;
  const length = headers['content-length'];
  return length === undefined || Number(length) > usualBodyBytes;
}
