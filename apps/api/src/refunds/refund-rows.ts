import { Inject, Injectable } from '@nestjs/common';
import type { Database } from '../../../../libs/database/src/database.js';
import type { RefundWithStory } from '../../../../libs/database/src/payments.js';
import { findRefund } from '../../../../libs/database/src/refunds.js';
import type { RefundRow } from '../../../../libs/database/src/schema.js';
import { listTimeline } from '../../../../libs/database/src/timeline.js';
import type { Caller } from '../auth/api-keys.js';
import { idPattern } from '../commands/ids.js';
import { databaseToken } from '../database-token.js';
import { Problem } from '../problems/problem.js';

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
    const timeline = await listTimeline(this.db, id);
    return { ...row, timeline: timeline.map(({ command_id: _asked, ...entry }) => entry) };
  }
}
