import { Inject, Injectable } from '@nestjs/common';
import { payoutRunAfterEnd, subscriptionRunAfterEnd } from '#runs';
import { paymentLifecycle } from '#workflows/lifecycle/payment';
import { payoutLifecycle } from '#workflows/lifecycle/payout';
import { planLifecycle } from '#workflows/lifecycle/plan';
import { refundLifecycle } from '#workflows/lifecycle/refund';
import { subscriptionLifecycle } from '#workflows/lifecycle/subscription';
import type { Caller } from '../auth/api-keys.js';
import { PaymentRows } from '../rows/payment-rows.js';
import { PayoutRows } from '../rows/payout-rows.js';
import { PlanRows } from '../rows/plan-rows.js';
import { RefundRows } from '../rows/refund-rows.js';
import { SubscriptionRows } from '../rows/subscription-rows.js';
import { Checks, providerCheck, refundCheck } from './checks.js';

/** "Check now" of each kind of subject, by the name of the kind. Errors are those of `Checks.check`. */
@Injectable()
export class SubjectChecks {
  constructor(
    @Inject(Checks) private readonly checks: Checks,
    @Inject(PaymentRows) private readonly payments: PaymentRows,
    @Inject(RefundRows) private readonly refunds: RefundRows,
    @Inject(SubscriptionRows) private readonly subscriptions: SubscriptionRows,
    @Inject(PlanRows) private readonly plans: PlanRows,
    @Inject(PayoutRows) private readonly payouts: PayoutRows,
  ) {}

  async payment(caller: Caller, id: string) {
    const read = () => this.payments.get(caller, id);
    return await this.checks.check({ read, lifecycle: paymentLifecycle, event: providerCheck });
  }

  async refund(caller: Caller, id: string) {
    const read = () => this.refunds.get(caller, id);
    return await this.checks.check({ read, lifecycle: refundLifecycle, event: refundCheck });
  }

  async subscription(caller: Caller, id: string) {
    return await this.checks.check({
      read: () => this.subscriptions.get(caller, id),
      lifecycle: subscriptionLifecycle,
      event: providerCheck,
      runAfterEnd: (row) => subscriptionRunAfterEnd(row, row.state),
    });
  }

  async plan(caller: Caller, id: string) {
    const read = () => this.plans.get(caller, id);
    return await this.checks.check({ read, lifecycle: planLifecycle, event: providerCheck });
  }

  async payout(caller: Caller, id: string) {
    return await this.checks.check({
      read: () => this.payouts.get(caller, id),
      lifecycle: payoutLifecycle,
      event: providerCheck,
      runAfterEnd: (row) => payoutRunAfterEnd(row, row.state),
    });
  }
}
