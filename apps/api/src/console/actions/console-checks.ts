import { Inject, Injectable } from '@nestjs/common';
import { payoutRunAfterEnd, subscriptionRunAfterEnd } from '#runs';
import { paymentLifecycle } from '#workflows/lifecycle/payment';
import { payoutLifecycle } from '#workflows/lifecycle/payout';
import { planLifecycle } from '#workflows/lifecycle/plan';
import { refundLifecycle } from '#workflows/lifecycle/refund';
import { subscriptionLifecycle } from '#workflows/lifecycle/subscription';
import type { Caller } from '../../auth/api-keys.js';
import { Checks, providerCheck, refundCheck } from '../../checks/checks.js';
import { PaymentRows } from '../../rows/payment-rows.js';
import { PayoutRows } from '../../rows/payout-rows.js';
import { PlanRows } from '../../rows/plan-rows.js';
import { RefundRows } from '../../rows/refund-rows.js';
import { SubscriptionRows } from '../../rows/subscription-rows.js';
import type { AnySubject } from '../subjects/console-subjects.js';

/** "Check now" of a subject of any kind, as the API does it. */
@Injectable()
export class ConsoleChecks {
  constructor(
    @Inject(Checks) private readonly checks: Checks,
    @Inject(PaymentRows) private readonly payments: PaymentRows,
    @Inject(RefundRows) private readonly refunds: RefundRows,
    @Inject(SubscriptionRows) private readonly subscriptions: SubscriptionRows,
    @Inject(PlanRows) private readonly plans: PlanRows,
    @Inject(PayoutRows) private readonly payouts: PayoutRows,
  ) {}

  /** @returns whether the provider has been asked. */
  async check(caller: Caller, { kind, row: { id } }: AnySubject): Promise<boolean> {
    return (await this.checked(caller, kind, id)).isDone;
  }

  private async checked(
    caller: Caller,
    kind: AnySubject['kind'],
    id: string,
  ): Promise<{ readonly isDone: boolean }> {
    const event = providerCheck;
    switch (kind) {
      case 'payment': {
        const read = () => this.payments.get(caller, id);
        return await this.checks.check({ read, lifecycle: paymentLifecycle, event });
      }
      case 'refund': {
        const read = () => this.refunds.get(caller, id);
        return await this.checks.check({ read, lifecycle: refundLifecycle, event: refundCheck });
      }
      case 'plan': {
        const read = () => this.plans.get(caller, id);
        return await this.checks.check({ read, lifecycle: planLifecycle, event });
      }
      case 'subscription':
        return await this.checks.check({
          read: () => this.subscriptions.get(caller, id),
          lifecycle: subscriptionLifecycle,
          event,
          runAfterEnd: (row) => subscriptionRunAfterEnd(row, row.state),
        });
      case 'payout':
        return await this.checks.check({
          read: () => this.payouts.get(caller, id),
          lifecycle: payoutLifecycle,
          event,
          runAfterEnd: (row) => payoutRunAfterEnd(row, row.state),
        });
    }
  }
}
