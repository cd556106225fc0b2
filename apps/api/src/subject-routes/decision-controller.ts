import { Body, Controller, HttpCode, Inject, Param, Post, Res, type Type } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { Caller } from '../auth/api-key.guard.js';
import type { Caller as ApiCaller } from '../auth/api-keys.js';
import { commandStatus, commandStatusOf, replyToCommand } from '../commands/command-reply.js';
import { IdempotencyKey } from '../commands/idempotency.js';
import { type ApiConfig, apiConfig } from '../injected/api-config.js';
import { describeOperation } from '../openapi/describe-operation.js';
import type { SubjectView } from '../rows/subject-rows.js';
import { subjectAddress } from '../wire/links.js';
import { type DecisionCommands, type ReviewRoutes, type SubjectRoutes, titleOf } from './subject-routes.js';

/** Takes the decision of a review. */
export function decisionController<Row extends SubjectView, Filter, Answer extends z.ZodType, Request>({
  kind,
  tag,
  answer,
  view,
  decision,
}: SubjectRoutes<Row, Filter, Answer> & ReviewRoutes<Row, Request>): Type {
  const result = z
    .object({
      id: z.string().meta({ description: 'Id of the decision.' }),
      state: commandStatus,
      [kind]: answer,
    })
    .meta({ id: decision.resultId });

  @Controller(`v1/${kind}s/:id/review/decision`)
  class DecisionController {
    constructor(
      @Inject(decision.commands) private readonly commands: DecisionCommands<Row, Request>,
      @Inject(apiConfig) private readonly config: ApiConfig,
    ) {}

    @Post()
    @HttpCode(200)
    @describeOperation({
      id: `decide${titleOf(kind)}Review`,
      summary: decision.summary,
      tag,
      isIdempotent: true,
      answers: { 200: result, 202: result },
      problems: [400, 401, ...(decision.canBeDeclined ? [402] : []), 404, 409, 413, 415, 422, 503],
    })
    async decide(
      @Caller() caller: ApiCaller,
      @Param('id') id: string,
      @IdempotencyKey() idempotencyKey: string,
      @Body({ schema: decision.request }) request: Request,
      @Res({ passthrough: true }) reply: FastifyReply,
    ): Promise<object> {
      const { command, row } = await this.commands.decide(caller, idempotencyKey, id, request);
      replyToCommand(reply, command, subjectAddress(kind, id, this.config));
      return {
        id: command.id,
        state: commandStatusOf(command),
        [kind]: view(row, this.config, Date.now()),
      };
    }
  }
  return DecisionController;
}
