import { Inject } from '@nestjs/common';
import type { Database } from '#database/connection';
import { databaseToken } from '../../injected/database-token.js';
import { ConsolePages } from '../console-pages.js';
import { type NotificationName, notificationNamed } from './named-rows.js';
import { Redeliveries } from './redeliveries.js';
import { type Redelivery, resendOf } from './redelivery.js';
import { RedeliveryController } from './redelivery.controller.js';

/** Delivers one notification again. */
@ConsolePages('console/notifications/:environment/:application/:id/resend')
export class NotificationResendController extends RedeliveryController<NotificationName> {
  constructor(
    @Inject(Redeliveries) redeliveries: Redeliveries,
    @Inject(databaseToken) private readonly db: Database,
  ) {
    super(redeliveries);
  }

  protected async redeliveryOf(named: NotificationName): Promise<Redelivery> {
    return resendOf(this.db, await notificationNamed(this.db, named));
  }
}
