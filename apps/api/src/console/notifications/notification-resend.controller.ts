import { Inject } from '@nestjs/common';
import type { Database } from '#database/connection';
import { databaseToken } from '../../injected/database-token.js';
import { ConsolePages } from '../console-pages.js';
import { type NotificationName, notificationNamed } from './named-rows.js';
import type { NotificationForm } from './notification-form.js';
import { NotificationFormController } from './notification-form.controller.js';
import { NotificationForms } from './notification-forms.js';
import { resendOf } from './redelivery.js';

/** Delivers one notification again. */
@ConsolePages('console/notifications/:environment/:application/:id/resend')
export class NotificationResendController extends NotificationFormController<NotificationName> {
  constructor(
    @Inject(NotificationForms) forms: NotificationForms,
    @Inject(databaseToken) private readonly db: Database,
  ) {
    super(forms);
  }

  protected async formOf(named: NotificationName): Promise<NotificationForm> {
    return resendOf(this.db, await notificationNamed(this.db, named));
  }
}
