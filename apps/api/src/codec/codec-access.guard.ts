import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ApiConfig, apiConfig } from '../api-config.js';
import { isSameSecret } from '../auth/same-secret.js';
import { Problem } from '../problems/problem.js';

/**
 * Admits by the secret in the address, as Temporal's UI and CLI send it. An API key opens nothing here: it stands for
 * one application, and a history's payloads do not say whose they are.
 */
@Injectable()
export class CodecAccessGuard implements CanActivate {
  constructor(@Inject(apiConfig) private readonly config: ApiConfig) {}

  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest<{ Params: { secret?: string } }>>();
    const { secret = '' } = request.params;
    const { codecEndpointSecret } = this.config;
    if (codecEndpointSecret === undefined || !isSameSecret(secret, codecEndpointSecret)) {
      throw new Problem('not-found');
    }
    this.allowTemporalUi(request, http.getResponse<FastifyReply>());
    return true;
  }

  /** No other page in a browser may read what is decrypted here. */
  private allowTemporalUi({ headers: { origin } }: FastifyRequest, reply: FastifyReply): void {
    const { uiUrl } = this.config.temporal;
    void reply.header('vary', 'origin');
    if (origin === undefined || uiUrl === undefined || origin !== new URL(uiUrl).origin) return;
    void reply.headers({
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'content-type, x-namespace, authorization, caller-type',
      'access-control-max-age': '600',
    });
  }
}
