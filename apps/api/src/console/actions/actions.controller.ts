import { Get, HttpCode, Inject, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../problems/problem.js';
import { formOf } from '../../sign-in/own-forms.js';
import { ConsolePages } from '../console-pages.js';
import { Needs, Visitor } from '../console.guard.js';
import type { Visit } from '../html/layout.js';
import { addressOf } from '../sentences/words.js';
import { pathsOfSubjects } from '../subjects/subject-paths.js';
import { ActionRequests } from './action-requests.js';

/** Forms of what an operator can do: the form, its confirmation and its execution. */
@ConsolePages('console')
@Needs('operator')
export class ActionsController {
  constructor(@Inject(ActionRequests) private readonly requests: ActionRequests) {}

  @Post(pathsOfSubjects('/check'))
  async check(
    @Visitor() visit: Visit,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    const isDone = await this.requests.check(visit, id);
    void reply.redirect(`${addressOf(id)}?done=${isDone ? 'checked' : 'checking'}`, 303);
  }

  @Get(pathsOfSubjects('/:action'))
  async form(
    @Visitor() visit: Visit,
    @Param('id') id: string,
    @Param('action') action: string,
    @Query() query: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return sent(reply, await this.requests.form(visit, { id, action, entered: textsOf(query) }));
  }

  @Get(pathsOfSubjects('/:action/confirm'))
  async confirm(
    @Visitor() visit: Visit,
    @Param('id') id: string,
    @Param('action') action: string,
    @Query() query: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return sent(reply, await this.requests.confirm(visit, { id, action, entered: textsOf(query) }));
  }

  @Post(pathsOfSubjects('/:action'))
  @HttpCode(200)
  async perform(
    @Visitor() visit: Visit,
    @Param('id') id: string,
    @Param('action') action: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | undefined> {
    const page = await this.requests.perform(visit, { id, action, entered: formOf(request) });
    if (page) return sent(reply, page);
    void reply.redirect(`${addressOf(id)}?done=asked`, 303);
    return undefined;
  }
}

function sent(
  reply: FastifyReply,
  { status, page }: { readonly status: number; readonly page: string },
): string {
  void reply.code(status).type('text/html; charset=utf-8');
  return page;
}

/** @throws {Problem} 400 for a name that comes twice. */
function textsOf(query: unknown): Readonly<Record<string, string>> {
  const texts = Object.entries(query as Readonly<Record<string, unknown>>);
  if (texts.some(([, value]) => typeof value !== 'string')) throw new Problem('malformed-request');
  return Object.fromEntries(texts) as Readonly<Record<string, string>>;
}
