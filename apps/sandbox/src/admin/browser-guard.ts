import { isIP } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { SandboxContext } from '../context/sandbox-context.js';
import { ApiError } from '../http/api-error.js';

/** What a browser says about a request, and what the page that sends the request cannot change. */
export interface BrowserHints {
  method: string;
  host: string | undefined;
  origin: string | undefined;
  fetchSite: string | undefined;
}

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Stops other sites' pages from controlling the service through the browser of somebody who can reach it. Clients that
 * are not browsers send neither header and are not affected.
 */
export function refuseForeignPages(scope: FastifyInstance, context: SandboxContext): void {
  scope.addHook('onRequest', async ({ method, headers }) => {
    const own = context.links.origin();
    const hints = {
      method,
      host: headers.host,
      origin: headers.origin,
      fetchSite: headers['sec-fetch-site']?.toString(),
    };
    if (isFromForeignPage(hints, own)) throw new ApiError('NOT_AUTHORIZED');
    // With a token, a page whose host name resolves to this service still has no token to send.
    if (context.adminToken === undefined && !isTrustedHost(hints.host, own))
      throw new ApiError('NOT_AUTHORIZED');
  });
}

/** Whether the request would change something and comes from a page of another origin. */
export function isFromForeignPage({ method, host, origin, fetchSite }: BrowserHints, own: string): boolean {
  if (READING.has(method)) return false;
  if (fetchSite !== undefined) return fetchSite !== 'same-origin' && fetchSite !== 'none';
  if (origin === undefined || origin === own) return false;
  return !URL.canParse(origin) || new URL(origin).host !== host;
}

/**
 * Whether no outsider can own the host name of the request: an address, a name without a dot (another container), this
 * machine, or the configured public name. Any other name may belong to an outsider and resolve to this machine; the
 * browser then takes that page for one of ours (DNS rebinding).
 */
export function isTrustedHost(host: string | undefined, own: string): boolean {
  if (host === undefined || !URL.canParse(`http://${host}`)) return false;
  const { hostname } = new URL(`http://${host}`);
  if (hostname === new URL(own).hostname || !hostname.includes('.')) return true;
  return hostname.endsWith('.localhost') || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
}
