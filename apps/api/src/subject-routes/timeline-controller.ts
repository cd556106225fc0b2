import { Controller, Get, Inject, Param, type Type } from '@nestjs/common';
import type { z } from 'zod';
import { Caller } from '../auth/api-key.guard.js';
import type { Caller as ApiCaller } from '../auth/api-keys.js';
import { describeOperation } from '../openapi/describe-operation.js';
import type { SubjectRows, SubjectView } from '../rows/subject-rows.js';
import { type TimelineAnswer, timelineAnswer, viewTimeline } from '../wire/timeline.js';
import { type SubjectRoutes, titleOf } from './subject-routes.js';

/** Shows the timeline of a subject. */
export function timelineController<Row extends SubjectView, Filter>({
  kind,
  tag,
  ...routes
}: Pick<SubjectRoutes<Row, Filter, z.ZodType>, 'kind' | 'tag' | 'rows'>): Type {
  @Controller(`v1/${kind}s/:id/timeline`)
  class TimelineController {
    constructor(@Inject(routes.rows) private readonly rows: SubjectRows<Row, Filter>) {}

    @Get()
    @describeOperation({
      id: `get${titleOf(kind)}Timeline`,
      summary: `Show the timeline of a ${kind}`,
      tag,
      answers: { 200: timelineAnswer },
      problems: [401, 404, 503],
    })
    async timeline(@Caller() caller: ApiCaller, @Param('id') id: string): Promise<TimelineAnswer> {
      return viewTimeline(await this.rows.timeline(caller, id));
    }
  }
  return TimelineController;
}
