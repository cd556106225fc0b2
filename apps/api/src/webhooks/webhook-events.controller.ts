import { Controller, Get, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import type { Database } from '#database/connection';
import {
  findProviderWebhook,
  countWaitingEvents,
  findWebhookEvent,
  findWebhookEvents,
  listResends,
  resendWebhookEvent,
} from '#database/events';
import { Caller } from '../auth/api-key.guard.js';
import type { Caller as ApiCaller } from '../auth/api-keys.js';
import { databaseToken } from '../database-token.js';
import { describeOperation } from '../openapi/describe-operation.js';
import { Problem } from '../problems/problem.js';
import { WebhookDispatcher } from './webhook-dispatcher.js';
import {
  type WebhookEventAnswer,
  type WebhookEventListAnswer,
  type WebhookInboxAnswer,
  webhookEventAnswer,
  webhookEventListAnswer,
  webhookInboxAnswer,
} from './webhook-event-answers.js';
import { type WebhookEventListQuery, webhookEventListQuery } from './webhook-event-requests.js';
import { viewEvent, viewListedEvent } from './webhook-event-view.js';
import { pageOf, nextCursor, numberCursor } from '../wire/pages.js';

/** What became of the provider's events, each status visible and timed, for the caller's own application. */
@Controller('v1')
export class WebhookEventsController {
  constructor(
    @Inject(databaseToken) private readonly db: Database,
    @Inject(WebhookDispatcher) private readonly dispatcher: WebhookDispatcher,
  ) {}

  @Get('webhook-inbox')
  @describeOperation({
    summary: 'Tell what waits in the inbox, and how the provider’s webhook stands',
    tag: 'Webhooks',
    needsApiKey: true,
    answers: { 200: webhookInboxAnswer },
    problems: [401, 503],
  })
  async inbox(@Caller() caller: ApiCaller): Promise<WebhookInboxAnswer> {
    const [waiting, webhook] = await Promise.all([
      countWaitingEvents(this.db, caller),
      findProviderWebhook(this.db, caller),
    ]);
    return {
      waiting: waiting.map(({ status, count, oldest }) => ({
        status,
        count,
        oldestReceivedAt: oldest.toISOString(),
      })),
      webhook: webhook
        ? { id: webhook.webhook_id, problem: webhook.problem, checkedAt: webhook.checked_at.toISOString() }
        : null,
    };
  }

  @Get('webhook-events')
  @describeOperation({
    summary: 'List webhook events, newest first',
    tag: 'Webhooks',
    needsApiKey: true,
    answers: { 200: webhookEventListAnswer },
    problems: [401, 422, 503],
  })
  async list(
    @Caller() caller: ApiCaller,
    @Query({ schema: webhookEventListQuery }) query: WebhookEventListQuery,
  ): Promise<WebhookEventListAnswer> {
    const { status, payment, subject: subjectId = payment, type, since } = query;
    const receivedSince = since === undefined ? undefined : new Date(since);
    const page = await pageOf(query, (rows) =>
      findWebhookEvents(this.db, { ...caller, ...rows, status, subjectId, type, receivedSince }),
    );
    return {
      events: page.rows.map(viewListedEvent),
      nextCursor: nextCursor(page, numberCursor, ({ id }) => id),
    };
  }

  @Get('webhook-events/:id')
  @describeOperation({
    summary: 'Show a webhook event with its story and its payload',
    tag: 'Webhooks',
    needsApiKey: true,
    answers: { 200: webhookEventAnswer },
    problems: [401, 404, 503],
  })
  async show(@Caller() caller: ApiCaller, @Param('id') id: string): Promise<WebhookEventAnswer> {
    const row = await findWebhookEvent(this.db, caller, readEventId(id));
    if (!row) throw new Problem('not-found');
    return viewEvent(row, await listResends(this.db, row.id));
  }

  @Post('webhook-events/:id/resend')
  @HttpCode(202)
  @describeOperation({
    summary: 'Dispatch a webhook event again',
    description:
      'On record with who asked for it. An event that was applied has done its work and stays as it is; so asking twice has no second effect.',
    tag: 'Webhooks',
    needsApiKey: true,
    answers: { 202: webhookEventAnswer },
    problems: [401, 404, 503],
  })
  async resend(@Caller() caller: ApiCaller, @Param('id') id: string): Promise<WebhookEventAnswer> {
    const eventId = readEventId(id);
    const before = await resendWebhookEvent(this.db, caller, eventId, `key:${caller.keyId}`);
    if (!before) throw new Problem('not-found');
    this.dispatcher.enqueue(before.id);
    return await this.show(caller, eventId);
  }
}

/** @throws {Problem} 404 for what no event's id can be; PostgreSQL takes no NUL. */
function readEventId(id: string): string {
  if (!/^[\w.-]{1,128}$/.test(id)) throw new Problem('not-found');
  return id;
}
