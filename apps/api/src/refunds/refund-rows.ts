import { Inject, Injectable } from '@nestjs/common';
import type { Database } from '#database/connection';
import { type RefundWithStory, findRefund, listRefunds } from '#database/subjects';
import type { RefundRow } from '#database/schema';
import type { Caller } from '../auth/api-keys.js';
import { idPattern } from '../commands/ids.js';
import { databaseToken } from '../database-token.js';
import { Problem } from '../problems/problem.js';
import { type Page, pageOf } from '../wire/pages.js';
import type { RefundListQuery } from './refund-requests.js';

type Owner = Pick<Caller, 'environment' | 'application'>;

const refundIdPattern = idPattern('refund');

/** The refunds of one application, as their rows stand. */
@Injectable()
export class RefundRows {
  constructor(@Inject(databaseToken) private readonly db: Database) {}

  /** @throws {Problem} 404, also for the refund of another application: nobody learns that it exists. */
  async get(owner: Owner, id: string): Promise<RefundRow & RefundWithStory> {
    const row = refundIdPattern.test(id) ? await findRefund(this.db, owner, id) : undefined;
    if (!row) throw new Problem('not-found', { detail: 'There is no such refund.' });
    return row;
  }

  /** One page, newest first, and whether there is another one. */
  async list(owner: Owner, query: RefundListQuery): Promise<Page<RefundRow & RefundWithStory>> {
    const { status } = query;
    return await pageOf(query, (page) => listRefunds(this.db, { ...owner, ...page, status }));
  }
}
