import { Inject } from '@nestjs/common';
import type { Database } from '#database/connection';
import { type ApiConfig, apiConfig } from '../../injected/api-config.js';
import { databaseToken } from '../../injected/database-token.js';
import { ConsolePages } from '../console-pages.js';
import { actedEndpointNamed } from './named-rows.js';
import type { NotificationForm } from './notification-form.js';
import { NotificationFormController } from './notification-form.controller.js';
import { NotificationForms } from './notification-forms.js';
import { replayOf } from './redelivery.js';

/** Delivers notifications of an endpoint again. */
@ConsolePages('console/endpoints/:id/resend')
export class EndpointResendController extends NotificationFormController<{ readonly id: string }> {
  constructor(
    @Inject(NotificationForms) forms: NotificationForms,
    @Inject(databaseToken) private readonly db: Database,
    @Inject(apiConfig) private readonly config: ApiConfig,
  ) {
    super(forms);
  }

  protected async formOf({ id }: { readonly id: string }): Promise<NotificationForm> {
    return replayOf(this.db, await actedEndpointNamed(this.db, this.config.applications, id));
  }
}
