import { Inject } from '@nestjs/common';
import type { Database } from '#database/connection';
import { type ApiConfig, apiConfig } from '../../injected/api-config.js';
import { databaseToken } from '../../injected/database-token.js';
import { Problem } from '../../problems/problem.js';
import { ConsolePages } from '../console-pages.js';
import { endpointNamed } from './named-rows.js';
import { Redeliveries } from './redeliveries.js';
import { type Redelivery, replayOf } from './redelivery.js';
import { RedeliveryController } from './redelivery.controller.js';

/** Delivers notifications of an endpoint again. */
@ConsolePages('console/endpoints/:id/resend')
export class EndpointResendController extends RedeliveryController<{ readonly id: string }> {
  constructor(
    @Inject(Redeliveries) redeliveries: Redeliveries,
    @Inject(databaseToken) private readonly db: Database,
    @Inject(apiConfig) private readonly config: ApiConfig,
  ) {
    super(redeliveries);
  }

  protected async redeliveryOf({ id }: { readonly id: string }): Promise<Redelivery> {
    const endpoint = await endpointNamed(this.db, this.config.applications, id);
    if (endpoint.status === 'deleted')
      throw new Problem('not-found', { detail: 'The endpoint was deleted.' });
    return replayOf(this.db, endpoint);
  }
}
