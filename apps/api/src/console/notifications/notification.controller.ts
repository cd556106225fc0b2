import { Get, HttpCode, Inject, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '#database/connection';
import {
  findNotification,
  listNotificationAttempts,
  type NotificationWithDeliveries,
} from '#database/notifications';
import type { Owner } from '#database/schema';
import { mayAs } from '../../injected/console-user.js';
import { databaseToken } from '../../injected/database-token.js';
import { NotificationPayloads } from '../../notifications/notification-payloads.js';
import { Problem } from '../../problems/problem.js';
import { formOf } from '../../sign-in/own-forms.js';
import { ConsolePages } from '../console-pages.js';
import { Needs, Visitor } from '../console.guard.js';
import { textsIn } from '../html/filters.js';
import type { Visit } from '../html/layout.js';
import { notificationPage } from './notification-page.js';
import { Redeliveries } from './redeliveries.js';
import { resendOf } from './redelivery.js';

const mostAttempts = 300;

interface Named extends Owner {
  readonly id: string;
}

/** One notification. */
@ConsolePages('console/notifications/:environment/:application/:id')
export class NotificationController {
  constructor(
    @Inject(databaseToken) private readonly db: Database,
    @Inject(NotificationPayloads) private readonly payloads: NotificationPayloads,
    @Inject(Redeliveries) private readonly redeliveries: Redeliveries,
  ) {}

  @Get()
  async show(
    @Visitor() visit: Visit,
    @Param() named: Named,
    @Query('done') done: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const notification = await this.find(named);
    const attempts = await listNotificationAttempts(this.db, notification.sequence, mostAttempts);
    const payload = mayAs(visit.operator, 'operator') ? await this.payloads.of(notification) : undefined;
    void reply.type('text/html; charset=utf-8');
    return notificationPage({ visit, notification, attempts, payload, done });
  }

  @Get('resend')
  @Needs('operator')
  async form(
    @Visitor() visit: Visit,
    @Param() named: Named,
    @Query() query: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const redelivery = resendOf(this.db, await this.find(named));
    return this.redeliveries.form({ visit, redelivery, entered: textsIn(query), reply });
  }

  @Get('resend/confirm')
  @Needs('operator')
  async confirm(
    @Visitor() visit: Visit,
    @Param() named: Named,
    @Query() query: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const redelivery = resendOf(this.db, await this.find(named));
    return await this.redeliveries.confirm({ visit, redelivery, entered: textsIn(query), reply });
  }

  @Post('resend')
  @HttpCode(200)
  @Needs('operator')
  async resend(
    @Visitor() visit: Visit,
    @Param() named: Named,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | undefined> {
    const redelivery = resendOf(this.db, await this.find(named));
    return await this.redeliveries.perform({ visit, redelivery, entered: formOf(request), reply });
  }

  private async find({ id, ...owner }: Named): Promise<NotificationWithDeliveries> {
    const row = /^evt_[0-9a-f]{32}$/.test(id) ? await findNotification(this.db, owner, id) : undefined;
    if (!row) throw new Problem('not-found', { detail: 'There is no such notification.' });
    return row;
  }
}
