import { Controller, Get, Inject, Param, Query, Req, type Type } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Database } from '#database/connection';
import { Caller } from '../auth/api-key.guard.js';
import type { Caller as ApiCaller } from '../auth/api-keys.js';
import { assertExpected } from '../commands/if-match.js';
import { type ApiConfig, apiConfig } from '../injected/api-config.js';
import { databaseToken } from '../injected/database-token.js';
import { describeOperation } from '../openapi/describe-operation.js';
import type { SubjectRows, SubjectView } from '../rows/subject-rows.js';
import { type NextChangeQuery, nextChangeQuery } from '../wire/fields.js';
import { type PageQuery, listAnswer } from '../wire/pages.js';
import { type SubjectRoutes, titleOf } from './subject-routes.js';

/** Lists subjects of one kind and shows one of them. */
export function subjectController<Row extends SubjectView, Filter, Answer extends z.ZodType>({
  kind,
  tag,
  answer,
  view,
  details,
  summaries,
  ...routes
}: SubjectRoutes<Row, Filter, Answer>): Type {
  const entries = listAnswer(answer, `${titleOf(kind)}List`);

  @Controller(`v1/${kind}s`)
  class SubjectController {
    constructor(
      @Inject(routes.rows) private readonly rows: SubjectRows<Row, Filter>,
      @Inject(databaseToken) private readonly db: Database,
      @Inject(apiConfig) private readonly config: ApiConfig,
    ) {}

    @Get()
    @describeOperation({
      id: `list${titleOf(kind)}s`,
      summary: summaries?.list ?? `List ${kind}s, newest first`,
      tag,
      answers: { 200: entries },
      problems: [401, 422, 503],
    })
    async list(
      @Caller() caller: ApiCaller,
      @Query({ schema: routes.listQuery }) query: Filter & PageQuery<string>,
    ): Promise<object> {
      const { rows, nextCursor } = await this.rows.list(caller, query);
      const now = Date.now();
      return { data: rows.map((row) => view(row, this.config, now)), nextCursor };
    }

    @Get(':id')
    @describeOperation({
      id: `get${titleOf(kind)}`,
      summary: summaries?.show ?? `Show a ${kind}, now or at its next change`,
      tag,
      answers: { 200: details?.answer ?? answer },
      problems: [401, 404, 422, 503],
    })
    async show(
      @Caller() caller: ApiCaller,
      @Param('id') id: string,
      @Query({ schema: nextChangeQuery }) query: NextChangeQuery,
      @Req() { signal }: FastifyRequest,
    ): Promise<unknown> {
      const row = await this.rows.next(caller, id, query, signal);
      assertExpected(this.rows.versionOf(row));
      const more = await details?.read(this.db, row);
      const shown = view(row, this.config, Date.now());
      return more ? Object.assign({}, shown, more) : shown;
    }
  }
  return SubjectController;
}
