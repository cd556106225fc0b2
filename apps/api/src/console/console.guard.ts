import {
  type CanActivate,
  type ExecutionContext,
  Inject,
  Injectable,
  SetMetadata,
  createParamDecorator,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Role, mayAs } from '../injected/console-user.js';
import { Problem } from '../problems/problem.js';
import { ConsoleSessions, type OpenSession } from '../sign-in/console-sessions.js';
import { assertOwnForm } from '../sign-in/own-forms.js';
import type { Visit } from './html/layout.js';

const neededRole = 'console:needed-role';

/** The least role for a page or an action; otherwise a viewer may. */
export const Needs = (role: Role) => SetMetadata(neededRole, role);

/** Nobody is signed in: the browser is sent to the sign-in, and then back. */
export class SignInNeeded extends Problem {
  constructor() {
    super('unauthorized');
  }
}

const sessions = new WeakMap<FastifyRequest, OpenSession>();

/** Pages are for those who are signed in; a form counts only if a page of the console has made it. */
@Injectable()
export class ConsoleGuard implements CanActivate {
  constructor(
    @Inject(ConsoleSessions) private readonly open: ConsoleSessions,
    @Inject(Reflector) private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    if (request.method !== 'GET') await assertOwnForm(request, http.getResponse<FastifyReply>());
    const session = await this.open.of(request);
    if (!session) throw new SignInNeeded();
    sessions.set(request, session);
    const targets = [context.getHandler(), context.getClass()];
    const needed = this.reflector.getAllAndOverride<Role | undefined>(neededRole, targets) ?? 'viewer';
    if (!mayAs(session.operator, needed)) {
      throw new Problem('forbidden', { detail: `This needs the role ${needed}.` });
    }
    return true;
  }
}

export const Session = createParamDecorator((_data: unknown, context: ExecutionContext): OpenSession => {
  const session = sessions.get(context.switchToHttp().getRequest<FastifyRequest>());
  if (!session) throw new SignInNeeded();
  return session;
});

/** Who is at the page, and the token of its forms. */
export const Visitor = createParamDecorator((_data: unknown, context: ExecutionContext): Visit => {
  const http = context.switchToHttp();
  const visit = visitOf(http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  if (!visit) throw new SignInNeeded();
  return visit;
});

export function visitOf(request: FastifyRequest, reply: FastifyReply): Visit | undefined {
  const operator = sessions.get(request)?.operator;
  return operator && { operator, csrfToken: reply.generateCsrf() };
}
