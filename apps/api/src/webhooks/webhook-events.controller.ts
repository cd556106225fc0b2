import { Controller, Get, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import { type Database, atOneInstant } from '#database/connection';
import {
  findProviderWebhook,
  countWaitingEvents,
  findWebhookEvent,
  findWebhookEvents,
  listResends,
  mostResendsAnHour,
  resendWebhookEvent,
} from '#database/events';
import { Caller } from '../auth/api-key.guard.js';
import type { Caller as ApiCaller } from '../auth/api-keys.js';
import { databaseToken } from '../injected/database-token.js';
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

/** The provider's events of the caller's application: each state with its time. */
@Controller('v1')
export class WebhookEventsController {
  constructor(
    @Inject(databaseToken) private readonly db: Database,
    @Inject(WebhookDispatcher) private readonly dispatcher: WebhookDispatcher,
  ) {}

  @Get('webhook-inbox')
  @describeOperation({
    id: 'getWebhookInbox',
    summary: 'Show the backlog of the inbox and the state of our webhook at the provider',
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
        state: status,
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
    id: 'listWebhookEvents',
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
    const { state: status, payment, subject: subjectId = payment, type, since } = query;
    const receivedSince = since === undefined ? undefined : new Date(since);
    const page = await pageOf(query, (before, limit) =>
      findWebhookEvents(this.db, { ...caller, before, limit, status, subjectId, type, receivedSince }),
    );
    return {
      data: page.rows.map(viewListedEvent),
      nextCursor: nextCursor(page, numberCursor, ({ id }) => id),
    };
  }

  @Get('webhook-events/:id')
  @describeOperation({
    id: 'getWebhookEvent',
    summary: 'Show a webhook event with its states and its payload',
    tag: 'Webhooks',
    needsApiKey: true,
    answers: { 200: webhookEventAnswer },
    problems: [401, 404, 503],
  })
  async show(@Caller() caller: ApiCaller, @Param('id') id: string): Promise<WebhookEventAnswer> {
    const eventId = readEventId(id);
    return await atOneInstant(this.db, async (instant) => {
      const row = await findWebhookEvent(instant, caller, eventId);
      if (!row) throw new Problem('not-found');
      return viewEvent(row, await listResends(instant, row.id));
    });
  }

  @Post('webhook-events/:id/resend')
  @HttpCode(202)
  @describeOperation({
    id: 'resendWebhookEvent',
    summary: 'Dispatch a webhook event again',
    description:
      'The request and its API key are recorded. An applied event is not dispatched again, so a repeated request has no second effect. 429 for an event that was resent twenty times within an hour.',
    tag: 'Webhooks',
    needsApiKey: true,
    answers: { 202: webhookEventAnswer },
    problems: [401, 404, 503],
  })
  async resend(@Caller() caller: ApiCaller, @Param('id') id: string): Promise<WebhookEventAnswer> {
    const eventId = readEventId(id);
    const result = await resendWebhookEvent(this.db, caller, eventId, `key:${caller.keyId}`);
    if (result.kind === 'unknown') throw new Problem('not-found');
    if (result.kind === 'too-often') throw tooOften(result.retryAfterSeconds);
    this.dispatcher.enqueue(result.id);
    return await this.show(caller, eventId);
  }
}

/** @throws {Problem} 404 for an impossible event id: PostgreSQL accepts no NUL character. */
function readEventId(id: string): string {
  if (!/^[\w.-]{1,128}$/.test(id)) throw new Problem('not-found');
  return id;
}

function tooOften(seconds: number): Problem {
  return new Problem('too-many-requests', {
    detail: `An event may be sent again ${mostResendsAnHour} times within an hour.`,
    headers: { 'retry-after': String(seconds) },
  });
}
