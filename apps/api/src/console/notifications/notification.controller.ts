import { Get, Inject, Param, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Database } from '#database/connection';
import { listNotificationAttempts } from '#database/notifications';
import { mayAs } from '../../injected/console-user.js';
import { databaseToken } from '../../injected/database-token.js';
import { NotificationPayloads } from '../../notifications/notification-payloads.js';
import { ConsolePages } from '../console-pages.js';
import { Visitor } from '../console.guard.js';
import type { Visit } from '../html/layout.js';
import { type NotificationName, notificationNamed } from './named-rows.js';
import { notificationPage } from './notification-page.js';

const mostAttempts = 300;

/** One notification. */
@ConsolePages('console/notifications/:environment/:application/:id')
export class NotificationController {
  constructor(
    @Inject(databaseToken) private readonly db: Database,
    @Inject(NotificationPayloads) private readonly payloads: NotificationPayloads,
  ) {}

  @Get()
  async show(
    @Visitor() visit: Visit,
    @Param() named: NotificationName,
    @Query('done') done: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const notification = await notificationNamed(this.db, named);
    const attempts = await listNotificationAttempts(this.db, notification.sequence, mostAttempts);
    const payload = mayAs(visit.operator, 'operator') ? await this.payloads.of(notification) : undefined;
    void reply.type('text/html; charset=utf-8');
    return notificationPage({ visit, notification, attempts, payload, done });
  }
}
