import { type CanActivate, type ExecutionContext, Inject, Injectable, SetMetadata } from '@nestjs/common';
import { createParamDecorator } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { type ApiConfig, apiConfig } from '../injected/api-config.js';
import { Problem } from '../problems/problem.js';
import { type Caller as ApiCaller, findCaller } from './api-keys.js';

const openRoute = 'payments:open-route';

/** Exempts a route from API keys: the route authenticates its callers itself, or is public. */
export const WithoutApiKey = () => SetMetadata(openRoute, true);

/** Each request's key is looked for once; undefined if it has none that is known. */
const callers = new WeakMap<FastifyRequest, ApiCaller | undefined>();

/** Requires an API key on every route that is not explicitly exempt. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    @Inject(apiConfig) private readonly config: ApiConfig,
    @Inject(Reflector) private readonly reflector: Reflector,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const targets = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride<boolean | undefined>(openRoute, targets)) return true;
    authenticate(this.config, context.switchToHttp().getRequest<FastifyRequest>());
    return true;
  }
}

/** The owner of the API key in the request; undefined without a known key. */
export function callerOf(config: ApiConfig, request: FastifyRequest): ApiCaller | undefined {
  if (!callers.has(request)) callers.set(request, findCaller(config.apiKeys, request.headers.authorization));
  return callers.get(request);
}

/** @throws {Problem} 401 */
export function authenticate(config: ApiConfig, request: FastifyRequest): ApiCaller {
  const caller = callerOf(config, request);
  if (caller) return caller;
  throw new Problem('unauthorized', {
    detail: 'Send the API key as "Authorization: Bearer <key>".',
    headers: { 'www-authenticate': 'Bearer realm="payments"' },
  });
}

/** The caller that the guard let pass. */
export const Caller = createParamDecorator((_data: unknown, context: ExecutionContext): ApiCaller => {
  const caller = callers.get(context.switchToHttp().getRequest<FastifyRequest>());
  if (!caller) throw new Problem('unauthorized');
  return caller;
});
