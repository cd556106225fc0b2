/** Every event type: its summary, and the type of its resource. */
export const EVENT_TYPES = {
  'PAYMENTS.PAYMENT.CREATED': ['payment', 'Checkout payment is created and approved by buyer'],
  'PAYMENT.AUTHORIZATION.CREATED': ['authorization', 'A payment authorization was created'],
  'PAYMENT.AUTHORIZATION.VOIDED': ['authorization', 'A payment authorization was voided'],
  'PAYMENT.CAPTURE.COMPLETED': ['capture', 'A payment capture was completed'],
  'PAYMENT.CAPTURE.PENDING': ['capture', 'The state of a payment capture changed to pending'],
  'PAYMENT.CAPTURE.DENIED': ['capture', 'A payment capture was denied'],
  'PAYMENT.CAPTURE.REFUNDED': ['refund', 'A captured payment was refunded'],
  'PAYMENT.CAPTURE.REVERSED': ['capture', 'A captured payment was reversed'],
  'PAYMENT.SALE.COMPLETED': ['sale', 'A sale was completed'],
  'PAYMENT.SALE.PENDING': ['sale', 'The state of a sale changed to pending'],
  'PAYMENT.SALE.DENIED': ['sale', 'A sale was denied'],
  'PAYMENT.SALE.REFUNDED': ['refund', 'A sale payment was refunded'],
  'PAYMENT.SALE.REVERSED': ['sale', 'A sale was reversed'],
  'PAYMENT.PAYOUTSBATCH.PROCESSING': ['payouts', 'A payouts batch is being processed'],
  'PAYMENT.PAYOUTSBATCH.SUCCESS': ['payouts', 'A payouts batch succeeded'],
  'PAYMENT.PAYOUTSBATCH.DENIED': ['payouts', 'A payouts batch was denied'],
  'PAYMENT.PAYOUTS-ITEM.BLOCKED': ['payouts_item', 'A payouts item was blocked'],
  'PAYMENT.PAYOUTS-ITEM.CANCELED': ['payouts_item', 'A payouts item was canceled'],
  'PAYMENT.PAYOUTS-ITEM.DENIED': ['payouts_item', 'A payouts item was denied'],
  'PAYMENT.PAYOUTS-ITEM.FAILED': ['payouts_item', 'A payouts item failed'],
  'PAYMENT.PAYOUTS-ITEM.HELD': ['payouts_item', 'A payouts item is on hold'],
  'PAYMENT.PAYOUTS-ITEM.REFUNDED': ['payouts_item', 'A payouts item was refunded'],
  'PAYMENT.PAYOUTS-ITEM.RETURNED': ['payouts_item', 'A payouts item was returned'],
  'PAYMENT.PAYOUTS-ITEM.SUCCEEDED': ['payouts_item', 'A payouts item succeeded'],
  'PAYMENT.PAYOUTS-ITEM.UNCLAIMED': ['payouts_item', 'A payouts item is unclaimed'],
  'BILLING.PLAN.CREATED': ['plan', 'A billing plan was created'],
  'BILLING.PLAN.UPDATED': ['plan', 'A billing plan was updated'],
  'BILLING.PLAN.ACTIVATED': ['plan', 'A billing plan was activated'],
  'BILLING.PLAN.DEACTIVATED': ['plan', 'A billing plan was deactivated'],
  'BILLING.SUBSCRIPTION.CREATED': ['Agreement', 'A billing agreement was created'],
  'BILLING.SUBSCRIPTION.ACTIVATED': ['Agreement', 'A billing agreement was activated'],
  'BILLING.SUBSCRIPTION.UPDATED': ['Agreement', 'A billing agreement was updated'],
  'BILLING.SUBSCRIPTION.SUSPENDED': ['Agreement', 'A billing agreement was suspended'],
  'BILLING.SUBSCRIPTION.RE-ACTIVATED': ['Agreement', 'A billing agreement was re-activated'],
  'BILLING.SUBSCRIPTION.CANCELLED': ['Agreement', 'A billing agreement was cancelled'],
  'BILLING.SUBSCRIPTION.EXPIRED': ['Agreement', 'A billing agreement expired'],
  'BILLING.SUBSCRIPTION.PAYMENT.FAILED': ['Agreement', 'A payment for a billing agreement failed'],
} as const satisfies Record<string, readonly [resourceType: string, summary: string]>;

export type EventType = keyof typeof EVENT_TYPES;

export const EVENT_TYPE_NAMES = Object.keys(EVENT_TYPES) as [EventType, ...EventType[]];

/** Subscribes to every event type, later ones included. */
export const EVERY_EVENT_TYPE = '*';

export function isEventType(name: string): name is EventType {
  return Object.hasOwn(EVENT_TYPES, name);
}

/** An event type as the API lists it. */
export function describeEventType(name: string): object {
  const description = isEventType(name) ? EVENT_TYPES[name][1] : 'ALL';
  return { name, description, status: 'ENABLED' };
}

export function describeAllEventTypes(): object[] {
  return Object.keys(EVENT_TYPES).map(describeEventType);
}
