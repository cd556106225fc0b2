/** Every type of notification and what it means. `docs/notifications.md` lists them too; a test compares. */
export const notificationTypes = {
  'payment.awaiting_approval': 'The payer can approve it at `approvalUrl`.',
  'payment.authorized': 'The funds are held.',
  'payment.hold_expiring': 'A warning: `warning` tells which end of the hold is near or has come.',
  'payment.reauthorized': 'The funds are held for another honour period.',
  'payment.partially_captured': 'A part was captured; more can be captured.',
  'payment.captured': 'The end of a hold: everything that will be captured is captured.',
  'payment.capture_failed':
    'A capture was not made, or was denied later; the hold goes on, unless its end follows.',
  'payment.void_failed': 'A void or release was not made; the hold goes on.',
  'payment.reauthorization_failed': 'A reauthorization was not made; the hold goes on.',
  'payment.voided': 'The hold was given back without a capture.',
  'payment.expired': 'The hold, or the time for approval, ended without a capture.',
  'payment.pending': 'A sale was executed; it is not decided yet whether the money arrives.',
  'payment.completed': 'A sale took the money.',
  'payment.declined': 'The provider or the payer’s bank declined it; no money moved.',
  'payment.cancelled': 'It was cancelled before its payer had approved.',
  'payment.in_doubt': 'The outcome of a call to the provider is unknown and is looked up.',
  'payment.needs_review': 'An operator must decide.',
  'refund.created': 'The provider has the refund, requested or made elsewhere.',
  'refund.pending': 'The refund is on its way.',
  'refund.completed':
    'The money went back. It may follow `refund.failed` if the provider made the refund late.',
  'refund.failed': 'The refund was not made.',
  'refund.in_doubt': 'The outcome of the call that makes the refund is unknown and is looked up.',
  'refund.needs_review': 'An operator must decide.',
  'chargeback.created': 'The payer’s bank takes money back.',
  'chargeback.completed': 'The amount of the chargeback is known and final.',
  'subscription.awaiting_approval': 'The payer can approve it at `approvalUrl`.',
  'subscription.activated': 'The provider bills the subscription from now on.',
  'subscription.cycle_billed': 'A payment of the subscription was collected.',
  'subscription.payment_failed': 'A payment of the subscription could not be collected.',
  'subscription.suspended': 'Billing has stopped until it is reactivated.',
  'subscription.reactivated': 'Billing goes on after a suspension.',
  'subscription.cancelled': 'It was cancelled.',
  'subscription.expired': 'All its cycles are over.',
  'subscription.declined': 'The provider did not accept it.',
  'subscription.lapsed': 'The payer did not approve in time.',
  'subscription.suspension_failed': 'A suspension was not made.',
  'subscription.reactivation_failed': 'A reactivation was not made.',
  'subscription.cancellation_failed': 'A cancellation was not made.',
  'subscription.balance_billed':
    'The provider has billed what was outstanding, or a part of it. Its payment is told when it is collected.',
  'subscription.balance_billing_failed': 'What is outstanding was not billed.',
  'subscription.balance_set': 'What was outstanding was forgiven, whole or in part.',
  'subscription.balance_setting_failed': 'What is outstanding was not forgiven.',
  'subscription.in_doubt': 'The outcome of a call to the provider is unknown and is looked up.',
  'subscription.needs_review': 'An operator must decide.',
  'payout.processing': 'The provider has the batch.',
  'payout.completed': 'Every item has ended, paid or not.',
  'payout.denied': 'The provider refused to pay the batch.',
  'payout.cancelled': 'The batch was cancelled.',
  'payout.declined': 'The provider never accepted the batch.',
  'payout.item_cancellation_failed': 'The cancellation of an item was not made.',
  'payout.in_doubt': 'The outcome of a call to the provider is unknown and is looked up.',
  'payout.needs_review': 'An operator must decide.',
  'payout_item.succeeded': 'The receiver has the money.',
  'payout_item.unclaimed': 'The receiver has no account yet and can claim the money.',
  'payout_item.held': 'The provider holds the item back for now.',
  'payout_item.failed': 'The item was not paid.',
  'payout_item.returned': 'The money came back.',
  'payout_item.blocked': 'The provider blocked the item.',
  'payout_item.refunded': 'The receiver sent the money back.',
  'payout_item.reversed': 'The payment to the receiver was reversed.',
  'endpoint.test': 'A test that was asked for over the API.',
} as const satisfies Readonly<Record<string, string>>;

export type NotificationType = keyof typeof notificationTypes;

export const notificationTypeNames = Object.keys(notificationTypes) as readonly NotificationType[];

/** A notification about a subject that a write causes. */
export interface News {
  readonly type: NotificationType;
  /** Its name among the facts of the subject: it has one notification, also if a lost workflow task is done again. */
  readonly fact?: string;
  /** Written only if the subject's latest billing notification is one of these; '' means that there is none. */
  readonly after?: readonly (NotificationType | '')[];
  /** Written only if the subject has a notification of a fact that begins so. */
  readonly ends?: string;
  /** Not written if the subject's row has all of this in its state already. */
  readonly unless?: object;
  /** Of the timeline line that causes it. */
  readonly version?: number;
}
