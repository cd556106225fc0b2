import { Body, Controller, HttpCode, Inject, Param, Post, Res, type Type } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { Caller } from '../auth/api-key.guard.js';
import type { Caller as ApiCaller } from '../auth/api-keys.js';
import { SubjectChecks } from '../checks/subject-checks.js';
import { replyWithAddress } from '../commands/command-reply.js';
import { assertExpected, expectedVersions } from '../commands/if-match.js';
import { type ApiConfig, apiConfig } from '../injected/api-config.js';
import { describeOperation } from '../openapi/describe-operation.js';
import type { SubjectRows, SubjectView } from '../rows/subject-rows.js';
import { body } from '../wire/fields.js';
import { subjectAddress } from '../wire/links.js';
import { type SubjectRoutes, titleOf } from './subject-routes.js';

/** Body of POST …/check: nothing, or an empty object. */
const checkRequest = z.strictObject({}).meta(body('CheckRequest', {})).optional();

const description =
  'Moves no money and can be repeated at any time. 200: the provider has been asked since the request (the items of a large payout: all of them), or a call that was under way has been answered, or there is nothing to ask now, because everything has ended or the provider must not be called before `nextCheckAt`. 202: the provider is being asked.';

/** "Check now", for callers who do not want to wait for the run's next poll. */
export function checkController<Row extends SubjectView, Filter, Answer extends z.ZodType>({
  kind,
  tag,
  answer,
  view,
  check,
  ...routes
}: SubjectRoutes<Row, Filter, Answer>): Type {
  @Controller(`v1/${kind}s/:id/check`)
  class CheckController {
    constructor(
      @Inject(routes.rows) private readonly rows: SubjectRows<Row, Filter>,
      @Inject(SubjectChecks) private readonly checks: SubjectChecks,
      @Inject(apiConfig) private readonly config: ApiConfig,
    ) {}

    @Post()
    @HttpCode(200)
    @describeOperation({
      id: `check${titleOf(kind)}`,
      summary: `Ask the provider now for the state of a ${kind}`,
      description,
      tag,
      answers: { 200: answer, 202: answer },
      problems: [400, 401, 404, 413, 415, 422, 503],
    })
    async check(
      @Caller() caller: ApiCaller,
      @Param('id') id: string,
      @Body({ schema: checkRequest }) _nothing: unknown,
      @Res({ passthrough: true }) reply: FastifyReply,
    ): Promise<z.output<Answer>> {
      if (expectedVersions()) assertExpected(this.rows.versionOf(await this.rows.get(caller, id)));
      const { row, isDone } = await check(this.checks, caller, id);
      replyWithAddress(reply, subjectAddress(kind, id, this.config), { isUnderWay: !isDone });
      return view(row, this.config, Date.now());
    }
  }
  return CheckController;
}
