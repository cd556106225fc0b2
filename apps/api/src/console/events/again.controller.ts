import { randomUUID } from 'node:crypto';
import { Get, Inject, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { findEventsByRow, recordAudit, type ListedEvent } from '#database/console';
import type { Database } from '#database/connection';
import { findWebhookEvent, requestProviderResend, resendWebhookEvent } from '#database/events';
import type { Owner } from '#database/schema';
import { withoutEmails } from '#database/text';
import { type ApiConfig, apiConfig } from '../../injected/api-config.js';
import { databaseToken } from '../../injected/database-token.js';
import { Problem } from '../../problems/problem.js';
import { formOf } from '../../sign-in/own-forms.js';
import { WebhookDispatcher } from '../../webhooks/webhook-dispatcher.js';
import { ConsolePages } from '../console-pages.js';
import { Needs, Visitor } from '../console.guard.js';
import type { Visit } from '../html/layout.js';
import { againPage } from './again-page.js';
import { findEvents } from './event-filter.js';
import { eventAddress } from './events-page.js';

/** Who processes an event again: the engine dispatches it to its run, or the provider delivers it. */
type Way = 'here' | 'provider';
const actions: Readonly<Record<Way, string>> = {
  here: 'reprocess webhook event',
  provider: 'ask the provider to resend webhook event',
};
const mostAtOnce = 50;

interface NamedEvent extends Owner {
  readonly id: string;
}

/** Processes events again: one, or those of a filter that the page has shown. An event that came later is not chosen. */
@ConsolePages('console/webhook-events')
export class AgainController {
  constructor(
    @Inject(databaseToken) private readonly db: Database,
    @Inject(WebhookDispatcher) private readonly dispatcher: WebhookDispatcher,
    @Inject(apiConfig) private readonly config: ApiConfig,
  ) {}

  @Get('again')
  @Needs('operator')
  async choose(
    @Visitor() visit: Visit,
    @Query() query: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const found = await findEvents(this.db, query);
    void reply.code(found.status).type('text/html; charset=utf-8');
    return againPage({ visit, events: found.rows, key: randomUUID(), hasMore: found.hasMore, entered: {} });
  }

  @Post('again')
  @Needs('operator')
  async act(
    @Visitor() visit: Visit,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | undefined> {
    const { ids = '', how, key = '', reason = '' } = formOf(request);
    const way = wayOf(how);
    const rows = /^\d{1,15}(?:,\d{1,15}){0,49}$/.test(ids) ? ids.split(',').map(Number) : [];
    const events = await findEventsByRow(this.db, this.config.applications, rows);
    if (events.length === 0) throw new Problem('not-found', { detail: 'None of these events is here.' });
    if (reason.trim() === '') {
      void reply.code(422).type('text/html; charset=utf-8');
      const issues = { reason: 'must not be empty' };
      return againPage({ visit, events, key, hasMore: false, entered: { reason }, issues });
    }
    const done = await this.actOnAll(visit, events, { way, key, reason });
    void reply.redirect(`/console/webhook-events?done=${done}&of=${events.length}&how=${way}`, 303);
    return undefined;
  }

  @Post(':environment/:application/:id/reprocess')
  @Needs('operator')
  async reprocess(
    @Visitor() visit: Visit,
    @Param() named: NamedEvent,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    void reply.redirect(await this.actOnOne(visit, named, request, 'here'), 303);
  }

  @Post(':environment/:application/:id/ask-provider')
  @Needs('operator')
  async askProvider(
    @Visitor() visit: Visit,
    @Param() named: NamedEvent,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    void reply.redirect(await this.actOnOne(visit, named, request, 'provider'), 303);
  }

  /** For one event, from its page. @returns the page's address. */
  private async actOnOne(
    visit: Visit,
    named: NamedEvent,
    request: FastifyRequest,
    way: Way,
  ): Promise<string> {
    const { environment, application, id } = named;
    const event = await findWebhookEvent(this.db, { environment, application }, id);
    if (!event) throw new Problem('not-found');
    const { reason = '', key = '' } = formOf(request);
    if (reason.trim() === '') return `${eventAddress(event)}?done=no-reason`;
    if ((await this.actOnAll(visit, [event], { way, key, reason })) === 0) {
      const detail = 'This event was dispatched again too often. Wait a while.';
      throw new Problem('too-many-requests', { detail });
    }
    return `${eventAddress(event)}?done=${way}`;
  }

  /** @returns the number of events that are processed again; the others were dispatched again too often. */
  private async actOnAll(
    { operator: { name, role } }: Visit,
    events: readonly Pick<ListedEvent, 'id' | 'environment' | 'application' | 'event_id' | 'subject_id'>[],
    { way, key, reason }: { readonly way: Way; readonly key: string; readonly reason: string },
  ): Promise<number> {
    let done = 0;
    for (const event of events.slice(0, mostAtOnce)) {
      const { environment, application, event_id: eventId, subject_id: subjectId } = event;
      await recordAudit(this.db, {
        userName: name,
        role,
        action: actions[way],
        environment,
        application,
        ...(subjectId !== null && { subjectId }),
        reason: withoutEmails(reason).slice(0, 1_000),
        detail: eventId,
      });
      if (await this.processAgain(event, { way, key, requestedBy: `console:${name}` })) done += 1;
    }
    return done;
  }

  private async processAgain(
    event: Pick<ListedEvent, 'id' | 'environment' | 'application' | 'event_id'>,
    { way, key, requestedBy }: { readonly way: Way; readonly key: string; readonly requestedBy: string },
  ): Promise<boolean> {
    if (way === 'provider') {
      await requestProviderResend(this.db, event.id, { requestedBy, key: key.slice(0, 100) });
      return true;
    }
    const result = await resendWebhookEvent(this.db, event, event.event_id, requestedBy);
    if (result.kind === 'resent') this.dispatcher.enqueue(result.id);
    return result.kind === 'resent';
  }
}

function wayOf(how: string | undefined): Way {
  if (how === 'here' || how === 'provider') return how;
  throw new Problem('malformed-request', { detail: 'The form must say how: `here` or `provider`.' });
}
