import type { FastifyRequest } from 'fastify';
import type { Application } from '../applications/applications.js';
import type { Call } from '../calls/call.js';
import type { CallFaultKind } from '../faults/fault-kinds.js';
import { ApiError } from '../http/api-error.js';
import type { Operation } from '../http/operations.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: Operation;
    /** Answers without an access token. */
    public?: true;
  }
  interface FastifyRequest {
    application: Application | null;
    call: Call | null;
    fault: CallFaultKind | null;
  }
}

/** @throws ApiError when the request carries no valid access token. */
export function callingApplication(request: FastifyRequest): Application {
  if (request.application === null) throw new ApiError('AUTHENTICATION_FAILURE');
  return request.application;
}

/**
 * The caller's request id header, at most 78 characters; null when it sends none.
 * @param isHonoured otherwise a longer one is ignored, as every other one is.
 */
export function requestIdOf(request: FastifyRequest, isHonoured: boolean): string | null {
  const header = request.headers['paypal-request-id'];
  if (header === undefined || header === '') return null;
  if (typeof header !== 'string' || header.length > 78) {
    if (!isHonoured) return null;
    throw ApiError.invalid('PayPal-Request-Id', 'Must be one value of at most 78 characters');
  }
  return header;
}
