import { Catch, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ProblemFilter } from '../problems/problem.filter.js';
import type { Problem } from '../problems/problem.js';
import { SignInNeeded, visitOf } from './console.guard.js';
import { renderPage } from './html/layout.js';
import { Notice } from './html/parts.js';

/** Answers errors with a page of the console. */
@Catch()
@Injectable()
export class ConsoleFilter extends ProblemFilter {
  protected override send(request: FastifyRequest, reply: FastifyReply, problem: Problem): void {
    if (problem instanceof SignInNeeded) {
      void reply.redirect(`/console/sign-in?next=${encodeURIComponent(request.url)}`, 303);
      return;
    }
    const page = renderPage({
      title: problem.message,
      visit: visitOf(request, reply),
      children: (
        <>
          <Notice tone="bad">{problem.detail ?? adviceOn(problem)}</Notice>
          <p>
            <a href="/console">Back to the start</a>
          </p>
        </>
      ),
    });
    void reply.code(problem.status).headers(problem.headers).type('text/html; charset=utf-8').send(page);
  }
}

function adviceOn({ status }: Problem): string {
  if (status === 404) return 'Nothing here has this address.';
  return status >= 500
    ? 'Nothing is lost. Try again in a moment.'
    : 'The request cannot be carried out as it is.';
}
