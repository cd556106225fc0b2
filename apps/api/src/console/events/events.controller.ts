import { Get, Inject, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { listEvents, recordAudit } from '#database/console';
import type { Database } from '#database/connection';
import { findWebhookEvent, listResends, resendWebhookEvent } from '#database/events';
import { type Owner, webhookStatuses } from '#database/schema';
import { withoutEmails } from '#database/text';
import { type ApiConfig, apiConfig } from '../../injected/api-config.js';
import { databaseToken } from '../../injected/database-token.js';
import { Problem } from '../../problems/problem.js';
import { formOf } from '../../sign-in/own-forms.js';
import { WebhookDispatcher } from '../../webhooks/webhook-dispatcher.js';
import { viewEvent } from '../../webhooks/webhook-event-view.js';
import { text } from '../../wire/fields.js';
import { subjectIdPattern } from '../../wire/ids.js';
import { ConsolePages } from '../console-pages.js';
import { Needs, Visitor } from '../console.guard.js';
import { applicationOptions, ownerIn } from '../html/applications.js';
import { findPage } from '../html/filtered-list.js';
import { cursor, day, lastDay } from '../html/filters.js';
import type { Visit } from '../html/layout.js';
import { eventAddress, eventPage, eventsPage } from './events-page.js';

const eventFilter = z.object({
  application: text(100).optional(),
  status: z.enum(webhookStatuses).optional(),
  type: text(200).optional(),
  resource: text(200).optional(),
  subject: z.string().regex(subjectIdPattern, 'must be one of our ids').optional(),
  from: day.optional(),
  to: lastDay.optional(),
  cursor: cursor.optional(),
});

/** The provider's events, and another dispatch of one. */
@ConsolePages('console/webhook-events')
export class EventsController {
  constructor(
    @Inject(databaseToken) private readonly db: Database,
    @Inject(WebhookDispatcher) private readonly dispatcher: WebhookDispatcher,
    @Inject(apiConfig) private readonly config: ApiConfig,
  ) {}

  @Get()
  async list(
    @Visitor() visit: Visit,
    @Query() query: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const found = await findPage(
      eventFilter,
      query,
      async ({ application, resource, subject, ...filter }, page) =>
        listEvents(this.db, {
          ...ownerIn(application),
          status: filter.status,
          type: filter.type,
          resourceId: resource,
          subjectId: subject,
          from: filter.from,
          to: filter.to,
          ...page,
        }),
    );
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
    void reply.type('text/html; charset=utf-8');
    return eventPage({ visit, event, own: eventAddress(row), isResent: done === 'resent' });
  }

  @Post(':environment/:application/:id/reprocess')
  @Needs('operator')
  async reprocess(
    @Visitor() visit: Visit,
    @Param() { environment, application }: Owner,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    const owner = { environment, application };
    const row = await findWebhookEvent(this.db, owner, id);
    if (!row) throw new Problem('not-found');
    const { name, role } = visit.operator;
    await recordAudit(this.db, {
      userName: name,
      role,
      action: 'reprocess webhook event',
      ...owner,
      ...(row.subject_id !== null && { subjectId: row.subject_id }),
      reason: withoutEmails(formOf(request)['reason'] ?? '').slice(0, 1_000),
      detail: id,
    });
    const result = await resendWebhookEvent(this.db, owner, id, `console:${name}`);
    if (result.kind === 'too-often') {
      throw new Problem('too-many-requests', {
        detail: 'This event was dispatched again too often. Wait a while.',
      });
    }
    if (result.kind === 'resent') this.dispatcher.enqueue(result.id);
    void reply.redirect(`${eventAddress(row)}?done=resent`, 303);
  }
}
