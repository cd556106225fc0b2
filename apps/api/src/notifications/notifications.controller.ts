import { Controller, Get, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import { announceChange, type Database } from '#database/connection';
import {
  findNotification,
  listNotificationAttempts,
  listNotifications,
  type NotificationWithDeliveries,
  resendNotification,
} from '#database/notifications';
import { Caller } from '../auth/api-key.guard.js';
import type { Caller as ApiCaller } from '../auth/api-keys.js';
import { databaseToken } from '../injected/database-token.js';
import { describeOperation } from '../openapi/describe-operation.js';
import { Problem } from '../problems/problem.js';
import { nextCursor, numberCursor, pageOf } from '../wire/pages.js';
import {
  type NotificationAnswer,
  type NotificationListAnswer,
  notificationAnswer,
  notificationListAnswer,
  viewListedNotification,
  viewNotification,
} from './notification-answers.js';
import { NotificationPayloads } from './notification-payloads.js';
import { type NotificationListQuery, notificationListQuery } from './notification-requests.js';

const mostAttempts = 100;

/** The notifications of order services, and each attempt to deliver them. */
@Controller('v1/notifications')
export class NotificationsController {
  constructor(
    @Inject(databaseToken) private readonly db: Database,
    @Inject(NotificationPayloads) private readonly payloads: NotificationPayloads,
  ) {}

  @Get()
  @describeOperation({
    id: 'listNotifications',
    summary: 'List notifications, newest first',
    tag: 'Notifications',
    needsApiKey: true,
    answers: { 200: notificationListAnswer },
    problems: [401, 422, 503],
  })
  async list(
    @Caller() caller: ApiCaller,
    @Query({ schema: notificationListQuery }) query: NotificationListQuery,
  ): Promise<NotificationListAnswer> {
    const { type, subject: subjectId, endpoint: endpointId, state: deliveryState, from, to } = query;
    const filter = { type, subjectId, endpointId, deliveryState, from: dateOf(from), to: dateOf(to) };
    const page = await pageOf(query, (before, limit) =>
      listNotifications(this.db, { ...caller, ...filter, before, limit }),
    );
    return {
      data: page.rows.map(viewListedNotification),
      nextCursor: nextCursor(page, numberCursor, ({ sequence }) => sequence),
    };
  }

  @Get(':id')
  @describeOperation({
    id: 'getNotification',
    summary: 'Show a notification with its payload and each attempt to deliver it',
    tag: 'Notifications',
    needsApiKey: true,
    answers: { 200: notificationAnswer },
    problems: [401, 404, 503],
  })
  async show(@Caller() caller: ApiCaller, @Param('id') id: string): Promise<NotificationAnswer> {
    return await this.view(await this.find(caller, id));
  }

  @Post(':id/resend')
  @HttpCode(202)
  @describeOperation({
    id: 'resendNotification',
    summary: 'Deliver a notification again',
    description:
      'To each endpoint that got it, and to those that take its type now. It keeps its id; a delivery under way goes on.',
    tag: 'Notifications',
    needsApiKey: true,
    answers: { 202: notificationAnswer },
    problems: [401, 404, 503],
  })
  async resend(@Caller() caller: ApiCaller, @Param('id') id: string): Promise<NotificationAnswer> {
    const { sequence, subject_id: subjectId } = await this.find(caller, id);
    await resendNotification(this.db, sequence);
    await announceChange(this.db, subjectId);
    return await this.show(caller, id);
  }

  private async view(row: NotificationWithDeliveries): Promise<NotificationAnswer> {
    const attempts = await listNotificationAttempts(this.db, row.sequence, mostAttempts);
    return viewNotification(row, await this.payloads.of(row), attempts);
  }

  private async find(caller: ApiCaller, id: string): Promise<NotificationWithDeliveries> {
    const row = /^evt_[0-9a-f]{32}$/.test(id) ? await findNotification(this.db, caller, id) : undefined;
    if (!row) throw new Problem('not-found', { detail: 'There is no such notification.' });
    return row;
  }
}

function dateOf(instant: number | undefined): Date | undefined {
  return instant === undefined ? undefined : new Date(instant);
}
