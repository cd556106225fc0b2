import { Get, Inject, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { listOpenDifferences, openDifferenceKinds } from '#database/console';
import type { Database } from '#database/connection';
import { type ApiConfig, apiConfig } from '../../injected/api-config.js';
import { databaseToken } from '../../injected/database-token.js';
import { ConsolePages } from '../console-pages.js';
import { Visitor } from '../console.guard.js';
import { applicationOptions, namedApplications } from '../html/applications.js';
import { findPage } from '../html/filtered-list.js';
import { cursor } from '../html/filters.js';
import type { Visit } from '../html/layout.js';
import { differencesPage } from './differences-page.js';

const differenceFilter = z.object({
  application: z.string().optional(),
  kind: z.enum(openDifferenceKinds).optional(),
  cursor: cursor.optional(),
});

/** The differences from the provider and the runs that the first screen counts. */
@ConsolePages('console/differences')
export class DifferencesController {
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
    const found = await findPage(differenceFilter, query, ({ application, kind }, page) =>
      listOpenDifferences(this.db, namedApplications(this.config, application), { kind, ...page }),
    );
    void reply.code(found.status).type('text/html; charset=utf-8');
    return differencesPage({ visit, applications: applicationOptions(this.config), found });
  }
}
