import { Body, Controller, HttpCode, Inject, Param, Post, Res, type Type } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { Caller } from '../auth/api-key.guard.js';
import type { Caller as ApiCaller } from '../auth/api-keys.js';
import { replyToCommand } from '../commands/command-reply.js';
import type { CommandAnswer } from '../commands/command-sender.js';
import { IdempotencyKey } from '../commands/idempotency.js';
import { type ApiConfig, apiConfig } from '../injected/api-config.js';
import { describeOperation } from '../openapi/describe-operation.js';
import type { SubjectView } from '../rows/subject-rows.js';
import { subjectAddress } from '../wire/links.js';
import { type SubjectRoutes, titleOf } from './subject-routes.js';

/** What differs between the routes of commands that are answered with their subject. */
export interface CommandRoute<Row, Commands, Request> {
  readonly name: string;
  /** The last part of the path; default: the name. */
  readonly path?: string;
  readonly summary: string;
  readonly request: z.ZodType<Request>;
  readonly commands: Type<Commands>;
  readonly send: (
    commands: Commands,
    caller: ApiCaller,
    asked: { readonly id: string; readonly idempotencyKey: string; readonly request: Request },
  ) => Promise<CommandAnswer<Row>>;
  /** Default: the provider can decline it: 402. */
  readonly canBeDeclined?: boolean;
}

export function commandController<Row extends SubjectView, Answer extends z.ZodType, Commands, Request>(
  { kind, tag, answer, view }: Pick<SubjectRoutes<Row, never, Answer>, 'kind' | 'tag' | 'answer' | 'view'>,
  {
    name,
    path = name,
    summary,
    request: schema,
    send,
    canBeDeclined = true,
    ...route
  }: CommandRoute<Row, Commands, Request>,
): Type {
  @Controller(`v1/${kind}s/:id/${path}`)
  class CommandController {
    constructor(
      @Inject(route.commands) private readonly commands: Commands,
      @Inject(apiConfig) private readonly config: ApiConfig,
    ) {}

    @Post()
    @HttpCode(200)
    @describeOperation({
      id: `${name}${titleOf(kind)}`,
      summary,
      tag,
      isIdempotent: true,
      answers: { 200: answer, 202: answer },
      problems: [400, 401, ...(canBeDeclined ? [402] : []), 404, 409, 413, 415, 422, 503],
    })
    async send(
      @Caller() caller: ApiCaller,
      @Param('id') id: string,
      @IdempotencyKey() idempotencyKey: string,
      @Body({ schema }) request: Request,
      @Res({ passthrough: true }) reply: FastifyReply,
    ): Promise<z.output<Answer>> {
      const { command, row } = await send(this.commands, caller, { id, idempotencyKey, request });
      replyToCommand(reply, command, subjectAddress(kind, id, this.config));
      return view(row, this.config, Date.now());
    }
  }
  return CommandController;
}
