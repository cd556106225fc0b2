import { Inject, Injectable } from '@nestjs/common';
import type { Database } from '../../../../libs/database/src/database.js';
import type { RefundWithStory } from '../../../../libs/database/src/payments.js';
import { findRefund, listRefunds } from '../../../../libs/database/src/refunds.js';
import type { RefundRow } from '../../../../libs/database/src/schema.js';
import { listTimeline } from '../../../../libs/database/src/timeline.js';
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
    return { ...row, timeline: await this.storyOf(id) };
  }

  /** One page, newest first, and whether there is another one. */
  async list(owner: Owner, query: RefundListQuery): Promise<Page<RefundRow & RefundWithStory>> {
    const { status } = query;
    const { rows, hasMore } = await pageOf(query, (page) =>
      listRefunds(this.db, { ...owner, ...page, status }),
    );
    return {
      rows: await Promise.all(rows.map(async (row) => ({ ...row, timeline: await this.storyOf(row.id) }))),
      hasMore,
    };
  }

  private async storyOf(id: string): Promise<RefundWithStory['timeline']> {
    const timeline = await listTimeline(this.db, id);
    return timeline.map(({ command_id: _asked, ...entry }) => entry);
  }
}
