import { EVENT_TYPES, type EventType } from '../events/event-types.js';
import type { Link, Links } from '../http/links.js';

const MONEY = { total: '7.47', currency: 'USD' };
const VALUE = { value: '7.47', currency: 'USD' };
const PAYMENT_ID = 'PAY-SAMPLE00000000000000001';
const AUTHORIZATION_ID = 'SAMPLEAUTH0000001';
const CAPTURE_ID = 'SAMPLECAPTURE0001';
const SALE_ID = 'SAMPLESALE0000001';
const BATCH_ID = 'SAMPLEBATCH01';
const PAYMENTS = '/v1/payments';

type Sample = (state: string, at: Times, links: Links) => object;

interface Times {
  now: string;
  /** The end of an authorization that is created now. */
  later: string;
}

const REAL_WINDOW_MS = 29 * 86_400_000;

/** A resource as an event of this type would have it. Its ids name nothing, so that nobody takes it for a real one. */
export function sampleResource(type: EventType, links: Links, now: Date): object {
  const at = { now: now.toISOString(), later: new Date(now.getTime() + REAL_WINDOW_MS).toISOString() };
  if (type === 'PAYMENT.CAPTURE.REFUNDED') return refund({ capture_id: CAPTURE_ID }, at, links);
  if (type === 'PAYMENT.SALE.REFUNDED') return refund({ sale_id: SALE_ID }, at, links);
  const [resourceType] = EVENT_TYPES[type];
  return SAMPLES[resourceType](STATE_OF_TYPE[type] ?? lastWordOf(type), at, links);
}

/** For types whose last word is not the state. */
const STATE_OF_TYPE: Readonly<Partial<Record<EventType, string>>> = {
  'PAYMENT.AUTHORIZATION.CREATED': 'authorized',
  'PAYMENT.CAPTURE.REVERSED': 'completed',
  'PAYMENT.SALE.REVERSED': 'completed',
  'PAYMENT.PAYOUTS-ITEM.CANCELED': 'RETURNED',
  'PAYMENT.PAYOUTS-ITEM.DENIED': 'FAILED',
  'PAYMENT.PAYOUTS-ITEM.HELD': 'ONHOLD',
  'PAYMENT.PAYOUTS-ITEM.SUCCEEDED': 'SUCCESS',
  'BILLING.PLAN.UPDATED': 'ACTIVE',
  'BILLING.PLAN.ACTIVATED': 'ACTIVE',
  'BILLING.PLAN.DEACTIVATED': 'INACTIVE',
  'BILLING.SUBSCRIPTION.CREATED': 'Active',
  'BILLING.SUBSCRIPTION.ACTIVATED': 'Active',
  'BILLING.SUBSCRIPTION.UPDATED': 'Active',
  'BILLING.SUBSCRIPTION.RE-ACTIVATED': 'Active',
  'BILLING.SUBSCRIPTION.PAYMENT.FAILED': 'Active',
  'BILLING.SUBSCRIPTION.SUSPENDED': 'Suspended',
  'BILLING.SUBSCRIPTION.CANCELLED': 'Cancelled',
  'BILLING.SUBSCRIPTION.EXPIRED': 'Expired',
};

/** Payments' states are lower case; those of plans and payouts are not. */
function lastWordOf(type: EventType): string {
  const word = type.slice(type.lastIndexOf('.') + 1);
  return /PAYOUTS|PLAN/.test(type) ? word : word.toLowerCase();
}

const SAMPLES: Readonly<Record<(typeof EVENT_TYPES)[EventType][0], Sample>> = {
  payment: (state, at, links) => ({
    id: PAYMENT_ID,
    intent: 'authorize',
    state,
    create_time: at.now,
    update_time: at.now,
    transactions: [{ amount: MONEY }],
    links: [links.paymentSelf(PAYMENT_ID)],
  }),
  authorization: (state, at, links) => ({
    ...transaction(AUTHORIZATION_ID, state, at),
    ...(state !== 'voided' && { valid_until: at.later }),
    links: [
      links.authorization(AUTHORIZATION_ID, 'self'),
      ...(state === 'voided'
        ? []
        : [links.captureAuthorization(AUTHORIZATION_ID), links.voidAuthorization(AUTHORIZATION_ID)]),
      links.parentPayment(PAYMENT_ID),
    ],
  }),
  capture: (state, at, links) => ({
    ...transaction(CAPTURE_ID, state, at),
    is_final_capture: true,
    links: [
      links.captureSelf(CAPTURE_ID),
      links.refundCapture(CAPTURE_ID),
      links.authorization(AUTHORIZATION_ID, 'authorization'),
      links.parentPayment(PAYMENT_ID),
    ],
  }),
  sale: (state, at, links) => ({
    ...transaction(SALE_ID, state, at),
    links: [links.saleSelf(SALE_ID), links.refundSale(SALE_ID), links.parentPayment(PAYMENT_ID)],
  }),
  refund: (_state, at, links) => refund({ sale_id: SALE_ID }, at, links),
  payouts: (state, at, links) => ({
    batch_header: {
      payout_batch_id: BATCH_ID,
      batch_status: state,
      time_created: at.now,
      ...(state !== 'PROCESSING' && { time_completed: at.now }),
      sender_batch_header: { sender_batch_id: 'sample-batch' },
      amount: VALUE,
      fees: { value: '0.00', currency: 'USD' },
    },
    links: [links.to('self', 'GET', `${PAYMENTS}/payouts/${BATCH_ID}`)],
  }),
  payouts_item: (state, at, links) => ({
    payout_item_id: 'SAMPLEITEM001',
    transaction_id: 'SAMPLEPAYOUT00001',
    transaction_status: state,
    payout_item_fee: { value: '0.00', currency: 'USD' },
    payout_batch_id: BATCH_ID,
    sender_batch_id: 'sample-batch',
    payout_item: { recipient_type: 'EMAIL', amount: VALUE, receiver: 'receiver@example.com' },
    time_processed: at.now,
    links: [
      links.to('self', 'GET', `${PAYMENTS}/payouts-item/SAMPLEITEM001`),
      links.to('batch', 'GET', `${PAYMENTS}/payouts/${BATCH_ID}`),
    ],
  }),
  plan: (state, at, links) => ({
    ...named('P-SAMPLE000000000000000001', state, at),
    type: 'FIXED',
    links: [self(links, 'billing-plans/P-SAMPLE000000000000000001')],
  }),
  Agreement: (state, at, links) => ({
    ...named('I-SAMPLE000001', state, at),
    start_date: at.now,
    links: [self(links, 'billing-agreements/I-SAMPLE000001')],
  }),
};

function transaction(id: string, state: string, at: Times) {
  return {
    id,
    create_time: at.now,
    update_time: at.now,
    state,
    amount: { ...MONEY, details: { subtotal: MONEY.total } },
    parent_payment: PAYMENT_ID,
  };
}

function refund(of: { capture_id: string } | { sale_id: string }, at: Times, links: Links): object {
  const id = 'SAMPLEREFUND00001';
  return { ...transaction(id, 'completed', at), ...of, links: [self(links, `refund/${id}`)] };
}

function named(id: string, state: string, at: Times) {
  return { id, state, name: 'Sample', description: 'Sample', create_time: at.now, update_time: at.now };
}

function self(links: Links, path: string): Link {
  return links.to('self', 'GET', `${PAYMENTS}/${path}`);
}
