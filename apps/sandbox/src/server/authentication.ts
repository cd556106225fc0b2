import type { FastifyRequest } from 'fastify';
import type { SandboxContext } from '../context/sandbox-context.js';
import { ApiError } from '../http/api-error.js';

/**
 * Section 5 of the interface: every call but the token call carries `Authorization: Bearer <ACCESS_TOKEN>`.
 * @throws ApiError AUTHENTICATION_FAILURE when the token is missing, unknown, revoked or expired.
 */
export async function authenticate(context: SandboxContext, request: FastifyRequest): Promise<void> {
  if (request.routeOptions.config.public === true) return;
  const token = /^Bearer ([\w.~+/=-]+)$/i.exec(request.headers.authorization ?? '')?.[1];
  const clientId = token === undefined ? undefined : await context.tokens.holderOf(token, new Date());
  const application = clientId === undefined ? undefined : await context.applications.find(clientId);
  if (application === undefined) throw new ApiError('AUTHENTICATION_FAILURE');
  request.application = application;
  if (request.call !== null) request.call.clientId = application.clientId;
}
