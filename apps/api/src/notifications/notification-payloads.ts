import { Inject, Injectable } from '@nestjs/common';
import type { Database } from '#database/connection';
import { keepPayload } from '#database/notifications';
import type { NotificationRow } from '#database/schema';
import type { PayoutView } from '#database/subjects';
import { type ApiConfig, apiConfig } from '../injected/api-config.js';
import { databaseToken } from '../injected/database-token.js';
import { viewPayment } from '../payments/payment-view.js';
import { viewPayout, viewPayoutItem } from '../payouts/payout-view.js';
import { viewRefund } from '../refunds/refund-view.js';
import { PaymentRows } from '../rows/payment-rows.js';
import { PayoutRows } from '../rows/payout-rows.js';
import { RefundRows } from '../rows/refund-rows.js';
import { SubscriptionRows } from '../rows/subscription-rows.js';
import { viewSubscription } from '../subscriptions/subscription-view.js';

type Notification = Omit<NotificationRow, 'fact'>;

/** Makes the body of a notification: what GET of the resource answers, as it was when the notification was written. */
@Injectable()
export class NotificationPayloads {
  constructor(
    @Inject(databaseToken) private readonly db: Database,
    @Inject(apiConfig) private readonly config: ApiConfig,
    @Inject(PaymentRows) private readonly payments: PaymentRows,
    @Inject(RefundRows) private readonly refunds: RefundRows,
    @Inject(SubscriptionRows) private readonly subscriptions: SubscriptionRows,
    @Inject(PayoutRows) private readonly payouts: PayoutRows,
  ) {}

  /** The same text each time: it is kept once it is made. */
  async of(notification: Notification): Promise<string> {
    if (notification.payload !== null) return notification.payload;
    const { id, type, created_at: createdAt, sequence } = notification;
    const data = await this.dataOf(notification);
    const payload = JSON.stringify({ id, type, createdAt: createdAt.toISOString(), sequence, data });
    return await keepPayload(this.db, sequence, payload);
  }

  private async dataOf(notification: Notification): Promise<object> {
    const { type, subject_id: id, created_at: at } = notification;
    switch (type.split('.', 1)[0]) {
      case 'payment':
        return viewPayment(
          asWritten(await this.payments.get(notification, id), notification),
          this.config,
          at.getTime(),
        );
      case 'refund':
      case 'chargeback':
        return viewRefund(
          notification,
          asWritten(await this.refunds.get(notification, id), notification),
          this.config,
        );
      case 'subscription':
        return viewSubscription(
          asWritten(await this.subscriptions.get(notification, id), notification),
          this.config,
          at.getTime(),
        );
      case 'payout':
        return viewPayout(await this.payoutAsWritten(notification), this.config);
      case 'payout_item':
        return {
          payoutId: id,
          ...viewPayoutItem(await this.payouts.getItem(notification, id, notification.item_id ?? '')),
        };
      default:
        return { endpointId: id };
    }
  }

  /** Its row has the totals of its items as they are now. */
  private async payoutAsWritten(notification: Notification): Promise<PayoutView> {
    const row = asWritten(await this.payouts.get(notification, notification.subject_id), notification);
    if (notification.state === null) return row;
    const { totals, openStep } = row.state;
    if (openStep?.step.type !== 'cancelPayoutItem') return { ...row, totals, cancelled_minor: null };
    const { minor } = await this.payouts.getItem(notification, notification.subject_id, openStep.step.itemId);
    return { ...row, totals, cancelled_minor: minor };
  }
}

/** The row as it was. Without a recorded state, as it is now. */
function asWritten<
  Row extends { readonly state: { readonly status: string }; readonly shown_version: number },
>(row: Row, { state: written, version, created_at: at }: Notification): Row {
  if (written === null) return row;
  // The state of the same subject, from the statement that wrote its row.
  const state = written as Row['state'];
  return { ...row, state, status: state.status, shown_version: version ?? row.shown_version, updated_at: at };
}
