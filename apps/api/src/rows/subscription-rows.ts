import { Injectable } from '@nestjs/common';
import { atOneInstant } from '#database/connection';
import type { Owner, SubscriptionPaymentRow, SubscriptionRow } from '#database/schema';
import {
  type SubscriptionView,
  findSubscriptionById,
  findSubscription,
  listSubscriptionPayments,
  listSubscriptions,
  sumOfPayments,
} from '#database/subjects';
import { type SubscriptionStatus, isTerminal } from '#workflows/lifecycle/subscription';
import { idPattern } from '../wire/ids.js';
import type { Page, PageQuery } from '../wire/pages.js';
import { type Listed, type SubjectQuery, SubjectRows, noSuch, subjectFilter } from './subject-rows.js';

interface Filter extends SubjectQuery<SubscriptionStatus> {
  readonly planId?: string | undefined;
}

/** A subscription with a page of its payments, as they were at one instant. */
export interface SubscriptionPayments {
  readonly row: SubscriptionView;
  readonly payments: Page<SubscriptionPaymentRow>;
  /** The sum of all completed payments in minor units, also of those on other pages. */
  readonly collected: number;
}

@Injectable()
export class SubscriptionRows extends SubjectRows<SubscriptionView, Filter> {
  protected readonly kind = 'subscription';

  /** For the payer routes. @throws {Problem} 404. */
  async getById(id: string): Promise<SubscriptionRow> {
    const row = idPattern(this.kind).test(id) ? await findSubscriptionById(this.db, id) : undefined;
    if (!row) throw noSuch(this.kind);
    return row;
  }

  /** The sum must fit the listed payments, so all is read at one instant. @throws {Problem} 404. */
  async payments(
    owner: Owner,
    id: string,
    { cursor: after, limit }: PageQuery<Date>,
  ): Promise<SubscriptionPayments> {
    if (!idPattern(this.kind).test(id)) throw noSuch(this.kind);
    return await atOneInstant(this.db, async (instant) => {
      const row = await findSubscription(instant, { ...owner, subscriptionId: id });
      if (!row) throw noSuch(this.kind);
      const rows = await listSubscriptionPayments(instant, row.id, { after, limit });
      // A page is longer than its limit if several payments have its last instant.
      const beyond = { after: rows.at(-1)?.at, limit: 1 };
      const hasMore =
        rows.length >= limit && (await listSubscriptionPayments(instant, row.id, beyond)).length > 0;
      return { row, payments: { rows, hasMore }, collected: await sumOfPayments(instant, row.id) };
    });
  }

  protected isAtRest({ status }: SubscriptionView): boolean {
    return isTerminal(status);
  }

  protected async read(owner: Owner, id: string): Promise<SubscriptionView | undefined> {
    return await findSubscription(this.db, { ...owner, subscriptionId: id });
  }

  protected async readPage(list: Listed<Filter>): Promise<SubscriptionView[]> {
    return await listSubscriptions(this.db, { ...subjectFilter(this.kind, list), planId: list.planId });
  }
}
