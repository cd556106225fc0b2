import { Injectable } from '@nestjs/common';
import type { Owner, RefundRow } from '#database/schema';
import { type RefundWithTimeline, findRefund, listRefunds } from '#database/subjects';
import { type RefundStatus, isRefundTerminal } from '#workflows/lifecycle/refund';
import {
  type AmountQuery,
  type Listed,
  type SubjectQuery,
  SubjectRows,
  amountRange,
  subjectFilter,
} from './subject-rows.js';

interface Filter extends SubjectQuery<RefundStatus>, AmountQuery {
  readonly paymentId?: string | undefined;
}

@Injectable()
export class RefundRows extends SubjectRows<RefundRow & RefundWithTimeline, Filter> {
  protected readonly kind = 'refund';

  protected isAtRest({ status }: RefundRow & RefundWithTimeline): boolean {
    return isRefundTerminal(status);
  }

  protected async read(owner: Owner, id: string): Promise<(RefundRow & RefundWithTimeline) | undefined> {
    return await findRefund(this.db, owner, id);
  }

  protected async readPage(list: Listed<Filter>): Promise<(RefundRow & RefundWithTimeline)[]> {
    return await listRefunds(this.db, {
      ...subjectFilter(this.kind, list),
      paymentId: list.paymentId,
      amount: amountRange(list),
    });
  }
}
