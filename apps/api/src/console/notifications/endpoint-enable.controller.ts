import { Inject } from '@nestjs/common';
import type { Database } from '#database/connection';
import { type ApiConfig, apiConfig } from '../../injected/api-config.js';
import { databaseToken } from '../../injected/database-token.js';
import { Problem } from '../../problems/problem.js';
import { ConsolePages } from '../console-pages.js';
import { enablingOf } from './enabling.js';
import { actedEndpointNamed } from './named-rows.js';
import type { NotificationForm } from './notification-form.js';
import { NotificationFormController } from './notification-form.controller.js';
import { NotificationForms } from './notification-forms.js';

/** Enables an endpoint that is disabled. */
@ConsolePages('console/endpoints/:id/enable')
export class EndpointEnableController extends NotificationFormController<{ readonly id: string }> {
  constructor(
    @Inject(NotificationForms) forms: NotificationForms,
    @Inject(databaseToken) private readonly db: Database,
    @Inject(apiConfig) private readonly config: ApiConfig,
  ) {
    super(forms);
  }

  protected async formOf({ id }: { readonly id: string }): Promise<NotificationForm> {
    const endpoint = await actedEndpointNamed(this.db, this.config.applications, id);
    if (endpoint.status === 'disabled') return enablingOf(this.db, endpoint);
    throw new Problem('conflict', { detail: 'The endpoint is enabled. Nothing was done.' });
  }
}
