import type { FastifyReply, FastifyRequest } from 'fastify';
import { prefixOf, subjectKinds, workflowIdOf } from '#workflows/contract';
import { keyOf } from '../auth/api-key.guard.js';
import { scopeOf } from '../auth/scopes.js';
import type { ApiConfig, ApiKey } from '../injected/api-config.js';
import { isPayers } from './caller-limits.js';
import { isRefusal } from './paced-refusals.js';

/**
 * For the log: who asked for what, from where, and whether it was let in. An expired key is named as well, so that its
 * owner can be informed. A request of a payer has no such line: the address of a browser is personal data.
 */
export function accessOf(
  config: ApiConfig,
  request: FastifyRequest,
  reply: FastifyReply,
): object | undefined {
  const { method, routeOptions, ip: source } = request;
  const { url = '' } = routeOptions;
  const refused = isRefusal(reply.statusCode);
  if (url.startsWith('/webhooks/') || url.startsWith('/codec/')) return { source, refused };
  if (!url.startsWith('/v1/') || isPayers(request)) return undefined;
  const key = keyOf(config, request);
  const { id, environment, application } = key ?? {};
  const access = { keyId: id, environment, application, scope: scopeOf(method, url), source, refused };
  return key ? { ...access, ...subjectOf(key, request, reply) } : access;
}

/** The subject of a request that was answered, and its run; an order names it in the answer's address. */
function subjectOf(
  { environment, application }: ApiKey,
  { params }: FastifyRequest,
  reply: FastifyReply,
): { readonly subject?: string; readonly run?: string } {
  // The path of a refused request may hold any text of the caller.
  if (reply.statusCode >= 400) return {};
  const { id: named } = params as { readonly id?: unknown };
  const address = String(reply.getHeader('location') ?? '');
  const id = subjectId.exec(typeof named === 'string' ? `/${named}` : address)?.[1];
  if (id === undefined) return {};
  return { subject: id, run: workflowIdOf({ environment, application, id }) };
}

const subjectId = new RegExp(`/((?:${subjectKinds.map(prefixOf).join('|')})\\w{1,64})(?=/|$)`);
