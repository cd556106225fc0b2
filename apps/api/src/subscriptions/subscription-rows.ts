import { Inject, Injectable } from '@nestjs/common';
import type { Database } from '#database/connection';
import type { SubscriptionRow } from '#database/schema';
import {
  type SubscriptionView,
  findSubscription,
  findSubscriptionById,
  listSubscriptions,
} from '#database/subjects';
import type { Caller } from '../auth/api-keys.js';
import { idPattern } from '../commands/ids.js';
import { databaseToken } from '../database-token.js';
import { Problem } from '../problems/problem.js';
import { type Page, pageOf } from '../wire/pages.js';
import type { SubscriptionListQuery } from './subscription-requests.js';

type Owner = Pick<Caller, 'environment' | 'application'>;

const subscriptionIdPattern = idPattern('subscription');

/** The subscriptions of one application, as their rows stand. */
@Injectable()
export class SubscriptionRows {
  constructor(@Inject(databaseToken) private readonly db: Database) {}

  /** @throws {Problem} 404, also for the subscription of another application. */
  async get({ environment, application }: Owner, id: string): Promise<SubscriptionView> {
    if (!subscriptionIdPattern.test(id)) throw noSuchSubscription();
    const row = await findSubscription(this.db, { environment, application, subscriptionId: id });
    if (!row) throw noSuchSubscription();
    return row;
  }

  /** For the payer routes. @throws {Problem} 404. */
  async getById(id: string): Promise<SubscriptionRow> {
    const row = subscriptionIdPattern.test(id) ? await findSubscriptionById(this.db, id) : undefined;
    if (!row) throw noSuchSubscription();
    return row;
  }

  /** One page, newest first, and whether there is another one. */
  async list(owner: Owner, query: SubscriptionListQuery): Promise<Page<SubscriptionView>> {
    const { state: status, planId } = query;
    return await pageOf(query, (page) => listSubscriptions(this.db, { ...owner, ...page, status, planId }));
  }
}

export function noSuchSubscription(): Problem {
  return new Problem('not-found', { detail: 'There is no such subscription.' });
}
