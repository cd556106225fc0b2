import { type CanActivate, type ExecutionContext, Inject, Injectable, SetMetadata } from '@nestjs/common';
import { createParamDecorator } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { type ApiConfig, type ApiKey, apiConfig } from '../injected/api-config.js';
import type { Scope } from '../injected/scope.js';
import { Problem } from '../problems/problem.js';
import { type Caller as ApiCaller, findKey, isInForce, mayUse } from './api-keys.js';
import { scopeOf } from './scopes.js';

const openRoute = 'payments:open-route';

/** Exempts a route from API keys: the route authenticates its callers itself, or is public. */
export const WithoutApiKey = () => SetMetadata(openRoute, true);

/** The key of each request is looked up once; undefined if the request has no known key. */
const keys = new WeakMap<FastifyRequest, ApiKey | undefined>();

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
    authorize(this.config, context.switchToHttp().getRequest<FastifyRequest>());
    return true;
  }
}

/** The API key in the request, expired or not. */
export function keyOf(config: ApiConfig, request: FastifyRequest): ApiKey | undefined {
  if (!keys.has(request)) keys.set(request, findKey(config.apiKeys, request.headers.authorization));
  return keys.get(request);
}

/** The id of the request's key; undefined without a key that is in force. */
export function keyIdOf(config: ApiConfig, request: FastifyRequest): string | undefined {
  const key = keyOf(config, request);
  return key && isInForce(key) ? key.id : undefined;
}

/** @throws {Problem} 401 without a key that is in force, 403 if the key lacks the scope that the route needs. */
export function authorize(config: ApiConfig, request: FastifyRequest): void {
  const key = keyOf(config, request);
  if (!key) throw withoutKey();
  if (!isInForce(key)) throw expired();
  const scope = scopeOf(request.method, request.routeOptions.url ?? '');
  if (!mayUse(key, scope)) throw insufficient(scope);
}

function withoutKey(): Problem {
  return new Problem('unauthorized', {
    detail: 'Send the API key as "Authorization: Bearer <key>".',
    headers: { 'www-authenticate': 'Bearer realm="payments"' },
  });
}

function expired(): Problem {
  return new Problem('unauthorized', {
    code: 'key_expired',
    detail: 'The API key has expired.',
    headers: { 'www-authenticate': 'Bearer realm="payments", error="invalid_token"' },
  });
}

function insufficient(scope: Scope): Problem {
  return new Problem('forbidden', {
    code: 'insufficient_scope',
    detail: `This request needs an API key with the scope "${scope}".`,
    headers: {
      'www-authenticate': `Bearer realm="payments", error="insufficient_scope", scope="${scope}"`,
    },
  });
}

/** The caller that the guard let pass. */
export const Caller = createParamDecorator((_data: unknown, context: ExecutionContext): ApiCaller => {
  const key = keys.get(context.switchToHttp().getRequest<FastifyRequest>());
  if (!key) throw new Problem('unauthorized');
  const { id: keyId, environment, application, expiresAt, scopes } = key;
  return { keyId, environment, application, expiresAt, scopes };
});
