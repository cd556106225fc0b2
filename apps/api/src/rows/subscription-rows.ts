import { Injectable } from '@nestjs/common';
import type { Owner, SubscriptionRow } from '#database/schema';
import {
  type SubscriptionView,
  findSubscriptionById,
  findSubscription,
  listSubscriptions,
} from '#database/subjects';
import { type SubscriptionStatus, isTerminal } from '#workflows/lifecycle/subscription';
import { idPattern } from '../wire/ids.js';
import { type Listed, SubjectRows, noSuch } from './subject-rows.js';

interface Filter {
  readonly state?: SubscriptionStatus | undefined;
  readonly planId?: string | undefined;
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

  protected isAtRest({ status }: SubscriptionView): boolean {
    return isTerminal(status);
  }

  protected async read(owner: Owner, id: string): Promise<SubscriptionView | undefined> {
    return await findSubscription(this.db, { ...owner, subscriptionId: id });
  }

  protected async readPage({ state: status, ...list }: Listed<Filter>): Promise<SubscriptionView[]> {
    return await listSubscriptions(this.db, { ...list, status });
  }
}
