import type { FastifyRequest } from 'fastify';
import { keyOf } from '../auth/api-key.guard.js';
import { scopeOf } from '../auth/scopes.js';
import type { ApiConfig } from '../injected/api-config.js';
import { isPayers } from './caller-limits.js';
import { isRefusal } from './paced-refusals.js';

/**
 * For the log: who asked for what, from where, and whether it was let in. An expired key is named as well, so that its
 * owner can be told. A request of a payer has no such line: the address of a browser is personal data.
 */
export function accessOf(config: ApiConfig, request: FastifyRequest, status: number): object | undefined {
  const { method, routeOptions, ip: source } = request;
  const { url = '' } = routeOptions;
  const refused = isRefusal(status);
  if (url.startsWith('/webhooks/') || url.startsWith('/codec/')) return { source, refused };
  if (!url.startsWith('/v1/') || isPayers(request)) return undefined;
  const { id, environment, application } = keyOf(config, request) ?? {};
  return { keyId: id, environment, application, scope: scopeOf(method, url), source, refused };
}
