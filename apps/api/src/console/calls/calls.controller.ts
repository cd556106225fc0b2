import { Controller, Get, Inject, Param, Query, Res, UseFilters, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { findCall, listCalls } from '#database/console';
import type { Database } from '#database/connection';
import { WithoutApiKey } from '../../auth/api-key.guard.js';
import { type ApiConfig, apiConfig } from '../../injected/api-config.js';
import { databaseToken } from '../../injected/database-token.js';
import { Problem } from '../../problems/problem.js';
import { subjectIdPattern } from '../../wire/ids.js';
import { pageOf } from '../../wire/pages.js';
import { text } from '../../wire/fields.js';
import { ConsoleFilter } from '../console.filter.js';
import { ConsoleGuard, Visitor } from '../console.guard.js';
import { applicationOptions, ownerIn } from '../html/applications.js';
import { cursor, day, lastDay, readFilter, textsIn } from '../html/filters.js';
import type { Visit } from '../html/layout.js';
import { callPage, callsPage } from './calls-page.js';

const onePage = 50;

const callFilter = z.object({
  application: text(100).optional(),
  method: z
    .string()
    .regex(/^[A-Z]{1,10}$/, 'must be a method')
    .optional(),
  status: z
    .string()
    .regex(/^(?:[1-5]|[1-5]\d\d|none)$/, 'must be a status, its first digit, or none')
    .optional(),
  path: text(500).optional(),
  transaction: text(200).optional(),
  subject: z.string().regex(subjectIdPattern, 'must be one of our ids').optional(),
  from: day.optional(),
  to: lastDay.optional(),
  cursor: cursor.optional(),
});

/** The engine's calls to the provider. */
@Controller('console/calls')
@ApiExcludeController()
@WithoutApiKey()
@UseGuards(ConsoleGuard)
@UseFilters(ConsoleFilter)
export class CallsController {
  constructor(
    @Inject(databaseToken) private readonly db: Database,
    @Inject(apiConfig) private readonly config: ApiConfig,
  ) {}

  @Get()
  async list(
    @Visitor() visit: Visit,
    @Query() query: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const entered = textsIn(query);
    const { filter, issues } = readFilter(callFilter, entered);
    const page = filter
      ? await pageOf({ cursor: filter.cursor, limit: onePage }, (range) =>
          listCalls(this.db, {
            ...ownerIn(filter.application),
            method: filter.method,
            status: filter.status,
            path: filter.path,
            transactionId: filter.transaction,
            subjectId: filter.subject,
            from: filter.from,
            to: filter.to,
            ...range,
          }),
        )
      : { rows: [], hasMore: false };
    void reply.code(filter ? 200 : 422).type('text/html; charset=utf-8');
    const applications = applicationOptions(this.config);
    return callsPage({ visit, applications, entered, issues, calls: page.rows, hasMore: page.hasMore });
  }

  @Get(':id')
  async show(
    @Visitor() visit: Visit,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const call = /^\d{1,15}$/.test(id) ? await findCall(this.db, Number(id)) : undefined;
    if (!call) throw new Problem('not-found');
    void reply.type('text/html; charset=utf-8');
    return callPage({ visit, call });
  }
}
