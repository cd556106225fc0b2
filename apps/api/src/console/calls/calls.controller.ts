import { Get, Inject, Param, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { findCall, listCalls } from '#database/console';
import type { Database } from '#database/connection';
import { type ApiConfig, apiConfig } from '../../injected/api-config.js';
import { databaseToken } from '../../injected/database-token.js';
import { servedApplication } from '../../injected/served-application.js';
import { Problem } from '../../problems/problem.js';
import { subjectIdPattern } from '../../wire/ids.js';
import { text } from '../../wire/fields.js';
import { ConsolePages } from '../console-pages.js';
import { Visitor } from '../console.guard.js';
import { applicationOptions, ownerIn } from '../html/applications.js';
import { findPage } from '../html/filtered-list.js';
import { cursor, day, lastDay } from '../html/filters.js';
import type { Visit } from '../html/layout.js';
import { asCurl } from './as-curl.js';
import { callPage, callsPage } from './calls-page.js';

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
@ConsolePages('console/calls')
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
    const found = await findPage(
      callFilter,
      query,
      async ({ application, transaction, subject, ...filter }, page) =>
        listCalls(this.db, {
          ...ownerIn(application),
          method: filter.method,
          status: filter.status,
          path: filter.path,
          transactionId: transaction,
          subjectId: subject,
          from: filter.from,
          to: filter.to,
          ...page,
        }),
    );
    void reply.code(found.status).type('text/html; charset=utf-8');
    return callsPage({ visit, applications: applicationOptions(this.config), found });
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
    const curl = asCurl(call, servedApplication(this.config, call)?.baseUrl);
    return callPage({ visit, call, curl });
  }
}
