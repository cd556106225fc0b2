import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Problem } from '../problems/problem.js';
import { takesIfMatch } from './if-match.js';

/** Refuses a precondition that nobody would look at. */
@Injectable()
export class PreconditionGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { method, headers, routeOptions } = context.switchToHttp().getRequest<FastifyRequest>();
    const { url = '' } = routeOptions;
    if (headers['if-match'] !== undefined && url.startsWith('/v1/') && !takesIfMatch(method, url)) {
      const detail = 'is not taken here: the address has no version';
      throw new Problem('malformed-request', { errors: [{ header: 'If-Match', detail }] });
    }
    return true;
  }
}
