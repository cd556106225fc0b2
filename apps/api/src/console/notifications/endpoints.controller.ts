import { Get, Inject, Param, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { listShownEndpoints, shownEndpointStates } from '#database/console';
import type { Database } from '#database/connection';
import { listNotifications } from '#database/notifications';
import { deliveryStates } from '#database/schema';
import { type ApiConfig, apiConfig } from '../../injected/api-config.js';
import { databaseToken } from '../../injected/database-token.js';
import { notificationType } from '../../notifications/endpoint-requests.js';
import { subjectIdPattern } from '../../wire/ids.js';
import { ConsolePages } from '../console-pages.js';
import { Visitor } from '../console.guard.js';
import { applicationOptions, namedApplications } from '../html/applications.js';
import { findPage } from '../html/filtered-list.js';
import { cursor, day, lastDay, readFilter, textsIn } from '../html/filters.js';
import type { Visit } from '../html/layout.js';
import { endpointPage } from './endpoint-page.js';
import { endpointsPage } from './endpoints-page.js';
import { endpointNamed } from './named-rows.js';

const endpointFilter = z.object({
  application: z.string().optional(),
  state: z.enum(shownEndpointStates).optional(),
});

const notificationFilter = z.object({
  type: notificationType.optional(),
  state: z.enum(deliveryStates).optional(),
  subject: z.string().regex(subjectIdPattern, 'must be one of our ids').optional(),
  from: day.optional(),
  to: lastDay.optional(),
  cursor: cursor.optional(),
});

/** The endpoints of order services, and what was sent to them. */
@ConsolePages('console/endpoints')
export class EndpointsController {
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
    const { filter, issues } = readFilter(endpointFilter, entered);
    const owners = namedApplications(this.config, filter?.application);
    const endpoints = filter ? await listShownEndpoints(this.db, owners, filter.state) : [];
    void reply.code(filter ? 200 : 422).type('text/html; charset=utf-8');
    return endpointsPage({
      visit,
      applications: applicationOptions(this.config),
      entered,
      issues,
      endpoints,
    });
  }

  @Get(':id')
  async show(
    @Visitor() visit: Visit,
    @Param('id') id: string,
    @Query() query: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const endpoint = await endpointNamed(this.db, this.config.applications, id);
    const { environment, application } = endpoint;
    const found = await findPage(
      notificationFilter,
      query,
      async ({ type, state: deliveryState, subject: subjectId, from, to }, page) => {
        const filter = { type, deliveryState, subjectId, endpointId: id, from, to };
        return await listNotifications(this.db, { environment, application, ...filter, ...page });
      },
    );
    void reply.code(found.status).type('text/html; charset=utf-8');
    return endpointPage({ visit, endpoint, found });
  }
}
