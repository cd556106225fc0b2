import { Get, HttpCode, Inject, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  findShownEndpoint,
  listShownEndpoints,
  type ShownEndpoint,
  shownEndpointStates,
} from '#database/console';
import type { Database } from '#database/connection';
import { listNotifications } from '#database/notifications';
import { deliveryStates } from '#database/schema';
import { type ApiConfig, apiConfig } from '../../injected/api-config.js';
import { databaseToken } from '../../injected/database-token.js';
import { notificationType } from '../../notifications/endpoint-requests.js';
import { endpointIdPattern } from '../../notifications/notification-endpoints.js';
import { Problem } from '../../problems/problem.js';
import { formOf } from '../../sign-in/own-forms.js';
import { subjectIdPattern } from '../../wire/ids.js';
import { ConsolePages } from '../console-pages.js';
import { Needs, Visitor } from '../console.guard.js';
import { applicationOptions, namedApplications } from '../html/applications.js';
import { findPage } from '../html/filtered-list.js';
import { cursor, day, lastDay, readFilter, textsIn } from '../html/filters.js';
import type { Visit } from '../html/layout.js';
import { endpointPage } from './endpoint-page.js';
import { endpointsPage } from './endpoints-page.js';
import { Redeliveries } from './redeliveries.js';
import { replayOf } from './redelivery.js';

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
    @Inject(Redeliveries) private readonly redeliveries: Redeliveries,
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
    const endpoint = await this.find(id);
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

  @Get(':id/resend')
  @Needs('operator')
  async form(
    @Visitor() visit: Visit,
    @Param('id') id: string,
    @Query() query: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const redelivery = replayOf(this.db, await this.existing(id));
    return this.redeliveries.form({ visit, redelivery, entered: textsIn(query), reply });
  }

  @Get(':id/resend/confirm')
  @Needs('operator')
  async confirm(
    @Visitor() visit: Visit,
    @Param('id') id: string,
    @Query() query: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const redelivery = replayOf(this.db, await this.existing(id));
    return await this.redeliveries.confirm({ visit, redelivery, entered: textsIn(query), reply });
  }

  @Post(':id/resend')
  @HttpCode(200)
  @Needs('operator')
  async resend(
    @Visitor() visit: Visit,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | undefined> {
    const redelivery = replayOf(this.db, await this.existing(id));
    return await this.redeliveries.perform({ visit, redelivery, entered: formOf(request), reply });
  }

  private async find(id: string): Promise<ShownEndpoint> {
    const { applications } = this.config;
    const found = endpointIdPattern.test(id) ? await findShownEndpoint(this.db, applications, id) : undefined;
    if (!found) throw new Problem('not-found', { detail: 'There is no such endpoint.' });
    return found;
  }

  /** One that can be sent to. */
  private async existing(id: string): Promise<ShownEndpoint> {
    const endpoint = await this.find(id);
    if (endpoint.status === 'deleted')
      throw new Problem('not-found', { detail: 'The endpoint was deleted.' });
    return endpoint;
  }
}
