import {
  type CanActivate,
  type ExecutionContext,
  Inject,
  Injectable,
  createParamDecorator,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CodecSessionRow } from '#database/access';
import { Problem } from '../problems/problem.js';
import { CodecSessions } from './codec-sessions.js';

const sessions = new WeakMap<FastifyRequest, CodecSessionRow>();

/** Admits requests with a valid codec session. An API key is not enough: it can only open a session. */
@Injectable()
export class CodecAccessGuard implements CanActivate {
  constructor(@Inject(CodecSessions) private readonly codecSessions: CodecSessions) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    this.allowTemporalUi(request, http.getResponse<FastifyReply>());
    // A browser sends its preflight request without the cookie.
    if (request.method === 'OPTIONS') return true;
    const session = await this.codecSessions.of(request);
    if (!session) {
      throw new Problem('unauthorized', {
        detail: 'Open a session with POST /v1/codec-sessions; one lasts an hour.',
        headers: { 'www-authenticate': 'Bearer realm="codec"' },
      });
    }
    sessions.set(request, session);
    return true;
  }

  /** No other page in a browser may read what is decrypted here. */
  private allowTemporalUi({ headers: { origin } }: FastifyRequest, reply: FastifyReply): void {
    const { uiOrigin } = this.codecSessions;
    void reply.header('vary', 'origin');
    if (origin === undefined || origin !== uiOrigin) return;
    void reply.headers({
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'content-type, x-namespace, authorization, caller-type',
      'access-control-max-age': '600',
    });
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
