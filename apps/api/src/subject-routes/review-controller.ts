import { Controller, Get, Inject, Param, type Type } from '@nestjs/common';
import type { z } from 'zod';
import { Caller } from '../auth/api-key.guard.js';
import type { Caller as ApiCaller } from '../auth/api-keys.js';
import { describeOperation } from '../openapi/describe-operation.js';
import { Evidence } from '../reviews/evidence.js';
import type { SubjectRows, SubjectView } from '../rows/subject-rows.js';
import { type ReviewRoutes, type SubjectRoutes, titleOf } from './subject-routes.js';

/** Shows the evidence about a subject, on which an operator decides its review. */
export function reviewController<Row extends SubjectView, Filter, Answer extends z.ZodType, Request>({
  kind,
  tag,
  review,
  ...routes
}: SubjectRoutes<Row, Filter, Answer> & ReviewRoutes<Row, Request>): Type {
  @Controller(`v1/${kind}s/:id/review`)
  class ReviewController {
    constructor(
      @Inject(Evidence) private readonly evidence: Evidence,
      @Inject(routes.rows) private readonly rows: SubjectRows<Row, Filter>,
    ) {}

    @Get()
    @describeOperation({
      id: `get${titleOf(kind)}Review`,
      summary: `Show the evidence about a ${kind}: calls, lookups, attempts, decisions`,
      tag,
      answers: { 200: review.answer },
      problems: [401, 404, 503],
    })
    async show(@Caller() caller: ApiCaller, @Param('id') id: string): Promise<object> {
      return await review.read(this.evidence, await this.rows.get(caller, id));
    }
  }
  return ReviewController;
}
