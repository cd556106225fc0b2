import { Injectable } from '@nestjs/common';
import type { Owner, PayoutItemRow } from '#database/schema';
import {
  type PayoutView,
  findPayoutItem,
  listPayoutItems,
  findPayout,
  listPayouts,
} from '#database/subjects';
import { type ItemStatus, type PayoutStatus, isTerminal } from '#workflows/lifecycle/payout';
import { Problem } from '../problems/problem.js';
import { itemIdPattern } from '../wire/ids.js';
import { type Page, type PageQuery, pageOf } from '../wire/pages.js';
import {
  type AmountQuery,
  type Listed,
  type SubjectQuery,
  SubjectRows,
  amountRange,
  subjectFilter,
} from './subject-rows.js';

type Filter = SubjectQuery<PayoutStatus> & AmountQuery;

/** An item with its payout, which decides what can be done with it. */
export interface ItemOfPayout extends PayoutItemRow {
  readonly payout: PayoutView;
}

interface ItemFilter {
  readonly state?: ItemStatus | undefined;
}

@Injectable()
export class PayoutRows extends SubjectRows<PayoutView, Filter> {
  protected readonly kind = 'payout';

  /** @throws {Problem} 404. */
  async getItem(owner: Owner, id: string, itemId: string): Promise<ItemOfPayout> {
    const payout = await this.get(owner, id);
    const item = itemIdPattern.test(itemId) ? await findPayoutItem(this.db, payout.id, itemId) : undefined;
    if (!item) throw new Problem('not-found', { detail: 'The payout has no such item.' });
    return { ...item, payout };
  }

  /** In the order in which they were sent. @throws {Problem} 404. */
  async listItems(
    owner: Owner,
    id: string,
    query: ItemFilter & PageQuery<number>,
  ): Promise<Page<ItemOfPayout>> {
    const payout = await this.get(owner, id);
    return await pageOf(query, async (after, limit) => {
      const items = await listPayoutItems(this.db, payout.id, { status: query.state, after, limit });
      return items.map((item) => ({ ...item, payout }));
    });
  }

  protected isAtRest({ status }: PayoutView): boolean {
    return isTerminal(status);
  }

  protected async read(owner: Owner, id: string): Promise<PayoutView | undefined> {
    return await findPayout(this.db, { ...owner, payoutId: id });
  }

  protected async readPage(list: Listed<Filter>): Promise<PayoutView[]> {
    return await listPayouts(this.db, { ...subjectFilter(this.kind, list), amount: amountRange(list) });
  }
}
