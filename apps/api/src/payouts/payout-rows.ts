import { Inject, Injectable } from '@nestjs/common';
import type { Database } from '#database/connection';
import {
  type PayoutView,
  findPayout,
  findPayoutItem,
  listPayoutItems,
  listPayouts,
} from '#database/subjects';
import type { PayoutItemRow } from '#database/schema';
import type { Caller } from '../auth/api-keys.js';
import { idPattern } from '../commands/ids.js';
import { databaseToken } from '../database-token.js';
import { Problem } from '../problems/problem.js';
import { type Page, pageOf } from '../wire/pages.js';
import { type PayoutItemsQuery, type PayoutListQuery, itemIdPattern } from './payout-requests.js';

type Owner = Pick<Caller, 'environment' | 'application'>;

/** The payouts of one application, as their rows stand. */
@Injectable()
export class PayoutRows {
  constructor(@Inject(databaseToken) private readonly db: Database) {}

  /** @throws {Problem} 404, also for the payout of another application: nobody learns that it exists. */
  async get({ environment, application }: Owner, id: string): Promise<PayoutView> {
    const row = idPattern('payout').test(id)
      ? await findPayout(this.db, { environment, application, payoutId: id })
      : undefined;
    if (!row) throw new Problem('not-found', { detail: 'There is no such payout.' });
    return row;
  }

  /** @throws {Problem} 404. */
  async getItem(owner: Owner, id: string, itemId: string): Promise<PayoutItemRow> {
    const payout = await this.get(owner, id);
    const item = itemIdPattern.test(itemId) ? await findPayoutItem(this.db, payout.id, itemId) : undefined;
    if (!item) throw new Problem('not-found', { detail: 'The payout has no such item.' });
    return item;
  }

  /** Newest first. */
  async list(owner: Owner, query: PayoutListQuery): Promise<Page<PayoutView>> {
    const { state: status } = query;
    return await pageOf(query, (page) => listPayouts(this.db, { ...owner, ...page, status }));
  }

  /** In the order in which they were sent. @throws {Problem} 404. */
  async listItems(owner: Owner, id: string, query: PayoutItemsQuery): Promise<Page<PayoutItemRow>> {
    const payout = await this.get(owner, id);
    return await pageOf(query, ({ before: after, limit }) =>
      listPayoutItems(this.db, payout.id, { status: query.status, after, limit }),
    );
  }
}
