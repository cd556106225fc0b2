import type { Scope } from '../injected/scope.js';

/** What operators do: decisions, events that are dispatched again, sessions that read histories. */
const operatorsRoutes = /^\/v1\/(?:codec-sessions|webhook-events)\b|\/review\/decision$/;

/**
 * The scope that a route needs: the only place that says so. A check is a read: it asks the provider and moves nothing.
 *
 * @param route as Fastify or as OpenAPI writes it.
 */
export function scopeOf(method: string, route: string): Scope {
  if (method === 'GET' || route.endsWith('/check')) return 'read';
  return operatorsRoutes.test(route) ? 'decide' : 'order';
}
