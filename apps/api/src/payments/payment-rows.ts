import { Inject, Injectable } from '@nestjs/common';
import type { Database } from '#database/connection';
import { type PaymentWithRefunds, findPayment, listPayments } from '#database/subjects';
import type { Caller } from '../auth/api-keys.js';
import { databaseToken } from '../database-token.js';
import { Problem } from '../problems/problem.js';
import { paymentIdPattern } from '../commands/ids.js';
import { type Page, pageOf } from '../wire/pages.js';
import type { PaymentListQuery } from './payment-requests.js';

type Owner = Pick<Caller, 'environment' | 'application'>;

/** The payments of one application, as their rows stand. */
@Injectable()
export class PaymentRows {
  constructor(@Inject(databaseToken) private readonly db: Database) {}

  /** @throws {Problem} 404, also for the payment of another application: nobody learns that it exists. */
  async get({ environment, application }: Owner, id: string): Promise<PaymentWithRefunds> {
    if (!paymentIdPattern.test(id)) throw noSuchPayment();
    const row = await findPayment(this.db, { environment, application, paymentId: id });
    if (!row) throw noSuchPayment();
    return row;
  }

  /** One page, newest first, and whether there is another one. */
  async list(owner: Owner, query: PaymentListQuery): Promise<Page<PaymentWithRefunds>> {
    const { state: status, orderId } = query;
    return await pageOf(query, (page) => listPayments(this.db, { ...owner, ...page, status, orderId }));
  }
}

export function noSuchPayment(): Problem {
  return new Problem('not-found', { detail: 'There is no such payment.' });
}
