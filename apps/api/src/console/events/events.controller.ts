import { randomUUID } from 'node:crypto';
import { Get, Inject, Param, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Database } from '#database/connection';
import { findWebhookEvent, listProviderResends, listResends } from '#database/events';
import type { Owner } from '#database/schema';
import { type ApiConfig, apiConfig } from '../../injected/api-config.js';
import { databaseToken } from '../../injected/database-token.js';
import { Problem } from '../../problems/problem.js';
import { viewEvent } from '../../webhooks/webhook-event-view.js';
import { ConsolePages } from '../console-pages.js';
import { Visitor } from '../console.guard.js';
import { applicationOptions } from '../html/applications.js';
import type { Visit } from '../html/layout.js';
import { findEvents } from './event-filter.js';
import { eventPage } from './event-page.js';
import { eventAddress, eventsPage } from './events-page.js';

/** The provider's events. */
@ConsolePages('console/webhook-events')
export class EventsController {
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
    const found = await findEvents(this.db, query);
    void reply.code(found.status).type('text/html; charset=utf-8');
    return eventsPage({ visit, applications: applicationOptions(this.config), found });
  }

  @Get(':environment/:application/:id')
  async show(
    @Visitor() visit: Visit,
    @Param() owner: Owner,
    @Param('id') id: string,
    @Query('done') done: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const row = await findWebhookEvent(this.db, owner, id);
    if (!row) throw new Problem('not-found');
    const event = viewEvent(row, await listResends(this.db, row.id));
    const asked = await listProviderResends(this.db, row.id);
    void reply.type('text/html; charset=utf-8');
    return eventPage({ visit, event, asked, own: eventAddress(row), key: randomUUID(), done });
  }
}
