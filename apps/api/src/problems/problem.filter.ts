import { type ArgumentsHost, Catch, type ExceptionFilter, Inject } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { log } from '../injected/log.js';
import { problemOfError } from './problem-of-error.js';
import { problemPage } from './problem-page.js';
import { Problem } from './problem.js';

/** Answers every error with a problem document, or with a page for a browser. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(@Inject(log) private readonly logger: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const problem = isCutShort(request, error)
      ? new Problem('client-gone')
      : problemOfError(error, request.routeOptions.bodyLimit);
    if (problem.status >= 500) this.record(error, problem, request);
    this.send(request, http.getResponse<FastifyReply>(), problem);
  }

  protected send(request: FastifyRequest, reply: FastifyReply, problem: Problem): void {
    sendProblem(request, reply, problem);
  }

  /** Logs class name and code only: a message may quote a body, an address or a credential. */
  private record(error: unknown, problem: Problem, request: FastifyRequest): void {
    const cause = error instanceof Error ? error : undefined;
    const code = cause && 'code' in cause ? String(cause.code) : undefined;
    this.logger[problem.status === 500 ? 'error' : 'warn'](
      { requestId: request.id, route: request.routeOptions.url, error: cause?.name ?? typeof error, code },
      problem.kind,
    );
  }
}

/** The caller has closed the connection. The same error code can come from a database that resets its connections. */
function isCutShort({ raw }: FastifyRequest, error: unknown): boolean {
  return !raw.complete && raw.destroyed && (error === raw.errored || hasCode(error, 'ECONNRESET'));
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/** Answers a request without waiting for its body, and hangs up, because the rest of it may still be on its way. */
export function refuseUnread(request: FastifyRequest, reply: FastifyReply, problem: Problem): void {
  if (request.method !== 'GET') void reply.header('connection', 'close');
  sendProblem(request, reply, problem);
}

export function sendProblem(request: FastifyRequest, reply: FastifyReply, problem: Problem): void {
  void reply.code(problem.status).headers(problem.headers);
  if (request.headers.accept?.includes('text/html')) {
    void reply.type('text/html; charset=utf-8').send(problemPage(problem));
    return;
  }
  void reply
    .type('application/problem+json')
    .send(JSON.stringify({ ...problem.document(), requestId: request.id }));
}
