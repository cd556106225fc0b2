import { Inject, Injectable } from '@nestjs/common';
import { findOwner } from '#database/console';
import type { Database } from '#database/connection';
import type { RefundRow, SubscriptionPaymentRow } from '#database/schema';
import type {
  PaymentWithRefunds,
  PayoutView,
  PlanView,
  RefundWithTimeline,
  SubscriptionView,
} from '#database/subjects';
import { kindOf } from '#workflows/contract';
import { databaseToken } from '../../injected/database-token.js';
import { Problem } from '../../problems/problem.js';
import { PaymentRows, versionOf } from '../../rows/payment-rows.js';
import { PayoutRows } from '../../rows/payout-rows.js';
import { PlanRows } from '../../rows/plan-rows.js';
import { RefundRows } from '../../rows/refund-rows.js';
import { SubscriptionRows } from '../../rows/subscription-rows.js';
import { subjectIdPattern } from '../../wire/ids.js';

/** A subject of any kind, whatever application it belongs to. */
export type AnySubject =
  | { readonly kind: 'payment'; readonly row: PaymentWithRefunds }
  | { readonly kind: 'refund'; readonly row: RefundRow & RefundWithTimeline }
  | { readonly kind: 'subscription'; readonly row: SubscriptionView }
  | { readonly kind: 'plan'; readonly row: PlanView }
  | { readonly kind: 'payout'; readonly row: PayoutView };

const mostPayments = 100;

/** Reads subjects for the console. Each user of the console may see those of all applications. */
@Injectable()
export class ConsoleSubjects {
  constructor(
    @Inject(databaseToken) private readonly db: Database,
    @Inject(PaymentRows) private readonly payments: PaymentRows,
    @Inject(RefundRows) private readonly refunds: RefundRows,
    @Inject(SubscriptionRows) private readonly subscriptions: SubscriptionRows,
    @Inject(PlanRows) private readonly plans: PlanRows,
    @Inject(PayoutRows) private readonly payouts: PayoutRows,
  ) {}

  /** @throws {Problem} 404. */
  async get(id: string): Promise<AnySubject> {
    const owner = subjectIdPattern.test(id) ? await findOwner(this.db, id) : undefined;
    if (!owner) throw new Problem('not-found', { detail: 'Nothing has this id.' });
    const kind = kindOf({ id });
    switch (kind) {
      case 'payment':
        return { kind, row: await this.payments.get(owner, id) };
      case 'refund':
        return { kind, row: await this.refunds.get(owner, id) };
      case 'subscription':
        return { kind, row: await this.subscriptions.get(owner, id) };
      case 'plan':
        return { kind, row: await this.plans.get(owner, id) };
      case 'payout':
        return { kind, row: await this.payouts.get(owner, id) };
    }
  }

  /** The latest payments of a subscription. */
  async paymentsOf(row: SubscriptionView): Promise<readonly SubscriptionPaymentRow[]> {
    return (await this.subscriptions.payments(row, row.id, { limit: mostPayments })).payments.rows;
  }

  /** A page of the items of a payout. */
  async itemsOf(row: PayoutView, cursor: number | undefined) {
    return await this.payouts.listItems(row, row.id, { cursor, limit: mostPayments });
  }
}

export function shownVersionOf(subject: AnySubject): number {
  return subject.kind === 'payment' ? versionOf(subject.row) : subject.row.shown_version;
}
