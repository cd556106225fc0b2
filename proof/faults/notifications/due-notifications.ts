import { nameOfItem } from './reception.js';
import type { ShownResources } from './shown-resources.js';

/** What an order service must have been notified of, as the API shows its resources in the end. */
export interface Due {
  /** Of what: `pay_…`, `item po_…/anna-1`. */
  readonly name: string;
  readonly type: string;
  /** How many notifications of this type, at least. */
  readonly times: number;
}

const paymentStates = new Set([
  'awaiting_approval',
  'authorized',
  'partially_captured',
  'pending',
  'captured',
  'voided',
  'completed',
  'declined',
  'cancelled',
  'expired',
]);
const refundTypes: Readonly<Record<string, readonly string[]>> = {
  pending: ['refund.created', 'refund.pending'],
  completed: ['refund.created', 'refund.completed'],
  failed: ['refund.failed'],
  cancelled: ['refund.failed'],
  declined: ['refund.failed'],
};
const subscriptionStates = new Set(['awaiting_approval', 'cancelled', 'expired', 'declined', 'lapsed']);
const payoutTypes: Readonly<Record<string, readonly string[]>> = {
  processing: ['payout.processing'],
  settling: ['payout.processing'],
  completed: ['payout.processing', 'payout.completed'],
  denied: ['payout.denied'],
  cancelled: ['payout.cancelled'],
  declined: ['payout.declined'],
};
const itemTypes: Readonly<Record<string, string>> = {
  success: 'payout_item.succeeded',
  unclaimed: 'payout_item.unclaimed',
  onhold: 'payout_item.held',
  failed: 'payout_item.failed',
  returned: 'payout_item.returned',
  blocked: 'payout_item.blocked',
  refunded: 'payout_item.refunded',
  reversed: 'payout_item.reversed',
};

/** Payments of a subscription that were collected: money may have gone back since. */
export const collectedStates: ReadonlySet<string> = new Set([
  'completed',
  'partially_refunded',
  'refunded',
  'reversed',
]);

/** Made from docs/notifications.md and not from the engine's own table of what it tells. */
export function dueNotifications({ payments, refunds, subscriptions, payouts }: ShownResources): Due[] {
  return [
    ...payments.flatMap(dueOfPayment),
    ...refunds.flatMap((refund) =>
      once(refund.id, refund.kind === 'reversal' ? dueOfReversal(refund) : (refundTypes[refund.state] ?? [])),
    ),
    ...subscriptions.flatMap(dueOfSubscription),
    ...payouts.flatMap(({ id, state, items }) => [
      ...once(id, payoutTypes[state] ?? []),
      ...items.flatMap((item) => dueOfItem(id, item)),
    ]),
  ];
}

/** Its end is told once its amount is known. */
function dueOfReversal({ state, amount }: ShownResources['refunds'][number]): string[] {
  if (state !== 'pending' && state !== 'completed') return [];
  return ['chargeback.created', ...(state === 'completed' && amount ? ['chargeback.completed'] : [])];
}

function dueOfPayment({ id, state, captures }: ShownResources['payments'][number]): Due[] {
  const denied = captures.filter((capture) => capture.state === 'denied').length;
  return [
    ...once(id, paymentStates.has(state) ? [`payment.${state}`] : []),
    ...(captures.length > 0 ? once(id, ['payment.authorized']) : []),
    ...(denied > 0 ? [{ name: id, type: 'payment.capture_failed', times: denied }] : []),
  ];
}

function dueOfSubscription({ id, state, payments }: ShownResources['subscriptions'][number]): Due[] {
  const billed = payments.filter((payment) => collectedStates.has(payment.state)).length;
  const failed = payments.filter((payment) => payment.state === 'failed').length;
  return [
    ...once(id, subscriptionStates.has(state) ? [`subscription.${state}`] : []),
    ...(billed > 0 ? [{ name: id, type: 'subscription.cycle_billed', times: billed }] : []),
    ...(failed > 0 ? [{ name: id, type: 'subscription.payment_failed', times: failed }] : []),
  ];
}

const standings: Readonly<Record<string, readonly string[]>> = {
  active: ['subscription.activated', 'subscription.reactivated'],
  suspended: ['subscription.suspended'],
};
export const standingTypes: readonly string[] = Object.values(standings).flat();

/** Of the types of which the latest one tells whether the provider bills: what it may be, by subscription. */
export function dueStandings({ subscriptions }: ShownResources): Map<string, readonly string[]> {
  return new Map(
    subscriptions.flatMap(({ id, state }) => (standings[state] ? [[id, standings[state]]] : [])),
  );
}

function dueOfItem(payoutId: string, { itemId, state }: { readonly itemId: string; readonly state: string }) {
  const type = itemTypes[state];
  return type === undefined ? [] : once(nameOfItem(payoutId, itemId), [type]);
}

function once(name: string, types: readonly string[]): Due[] {
  return types.map((type) => ({ name, type, times: 1 }));
}
