import { Inject, Injectable } from '@nestjs/common';
import { batched, type Database, isTemporary } from '#database/connection';
import { keepPayloads } from '#database/notifications';
import type { NotificationRow } from '#database/schema';
import type { PaymentWithRefunds, PayoutView } from '#database/subjects';
import { type ApiConfig, apiConfig } from '../injected/api-config.js';
import { databaseToken } from '../injected/database-token.js';
import { viewPayment } from '../payments/payment-view.js';
import { viewPayout, viewPayoutItem } from '../payouts/payout-view.js';
import { viewRefund } from '../refunds/refund-view.js';
import { asCaller } from '../requests/caller-now.js';
import { PaymentRows } from '../rows/payment-rows.js';
import { PayoutRows } from '../rows/payout-rows.js';
import { RefundRows } from '../rows/refund-rows.js';
import { noSuch } from '../rows/subject-rows.js';
import { SubscriptionRows } from '../rows/subscription-rows.js';
import { viewSubscription } from '../subscriptions/subscription-view.js';

type Notification = Omit<NotificationRow, 'fact'>;

type Payments = ReadonlyMap<string, PaymentWithRefunds>;

/** Makes the body of a notification: what GET of the resource answers, as it was when the notification was written. */
@Injectable()
export class NotificationPayloads {
  /** Those that are made at the same time share a read and a commit. */
  private readonly make: (notification: Notification) => Promise<string>;

  constructor(
    @Inject(databaseToken) private readonly db: Database,
    @Inject(apiConfig) private readonly config: ApiConfig,
    @Inject(PaymentRows) private readonly payments: PaymentRows,
    @Inject(RefundRows) private readonly refunds: RefundRows,
    @Inject(SubscriptionRows) private readonly subscriptions: SubscriptionRows,
    @Inject(PayoutRows) private readonly payouts: PayoutRows,
  ) {
    this.make = batched((notifications) => asCaller('notifications', () => this.makeAll(notifications)), {
      largest: 64,
      concurrency: 2,
      // One that cannot be made must not block the others.
      isOneItemsFault: (error) => !isTemporary(error),
    });
  }

  /** The same text each time: it is kept once it is made. */
  async of(notification: Notification): Promise<string> {
    return notification.payload ?? (await this.make(notification));
  }

  private async makeAll(notifications: readonly Notification[]): Promise<readonly string[]> {
    const payments = await this.payments.findAll(
      notifications
        .filter(({ type }) => type.startsWith('payment.'))
        .map(({ environment, application, subject_id: id }) => ({ environment, application, id })),
    );
    // Once for all endpoints: what is made twice may differ.
    const once = new Map(notifications.map((notification) => [notification.sequence, notification]));
    const made = await Promise.all(
      Array.from(once.values(), async (notification): Promise<[number, string]> => {
        const { id, type, created_at: createdAt, sequence } = notification;
        const data = await this.dataOf(notification, payments);
        return [sequence, JSON.stringify({ id, type, createdAt: createdAt.toISOString(), sequence, data })];
      }),
    );
    const kept = await keepPayloads(this.db, new Map(made));
    return notifications.map(({ sequence }) => kept.get(sequence) ?? '');
  }

  private async dataOf(notification: Notification, payments: Payments): Promise<object> {
    const { type, subject_id: id, created_at: at } = notification;
    switch (type.split('.', 1)[0]) {
      case 'payment': {
        const payment = payments.get(id);
        if (!payment) throw noSuch('payment');
        return viewPayment(paymentAsWritten(payment, notification), this.config, at.getTime());
      }
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
          ...viewPayoutItem(
            await this.payouts.getItem(notification, id, notification.item_id ?? ''),
            at.getTime(),
          ),
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

/** With its refunds of then, unless an older process has written the notification. */
function paymentAsWritten(payment: PaymentWithRefunds, notification: Notification): PaymentWithRefunds {
  const row = asWritten(payment, notification);
  const { refund_changes, refunds } = notification;
  if (refund_changes === null) return row;
  return { ...row, refund_changes, refunds: (refunds ?? []) as PaymentWithRefunds['refunds'] };
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
