import {
  type CanActivate,
  type ExecutionContext,
  Inject,
  Injectable,
  createParamDecorator,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { CodecSessionRow } from '#database/access';
import { Problem } from '../problems/problem.js';
import { withoutSession } from './codec-callers.js';
import { CodecSessions } from './codec-sessions.js';

const sessions = new WeakMap<FastifyRequest, CodecSessionRow>();

/** Admits requests with a valid codec session. An API key is not enough: it can only open a session. */
@Injectable()
export class CodecAccessGuard implements CanActivate {
  constructor(@Inject(CodecSessions) private readonly codecSessions: CodecSessions) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    // A browser sends its preflight request without the cookie.
    if (request.method === 'OPTIONS') return true;
    const session = await this.codecSessions.of(request);
    if (!session) throw withoutSession();
    sessions.set(request, session);
    return true;
  }
}

/** The session that the guard let pass. */
export const CodecSession = createParamDecorator(
  (_data: unknown, context: ExecutionContext): CodecSessionRow => {
    const session = sessions.get(context.switchToHttp().getRequest<FastifyRequest>());
    if (!session) throw new Problem('unauthorized');
    return session;
  },
);
