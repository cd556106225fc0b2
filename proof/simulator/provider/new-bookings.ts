import {
  type BookedPayment,
  type Collected,
  type Hold,
  type PaymentTemper,
  amountOf,
} from './booked-payment.js';

/** What the books say of something when it has just come to be. */

export type NewOrder = Pick<BookedPayment, 'custom' | 'invoiceNumber' | 'intent' | 'minor' | 'currency'>;

interface NewCapture {
  readonly holdId: string;
  readonly minor: number;
  readonly isFinal: boolean;
  readonly reference: string;
}

export function newPayment(id: string, now: number, order: NewOrder, temper: PaymentTemper): BookedPayment {
  return {
    ...order,
    id,
    temper,
    createdAt: now,
    payerId: temper.isApprovedAtOnce ? 'PAYER1' : undefined,
    isExecuted: false,
    isFailed: false,
    holds: [],
    captures: [],
    sale: undefined,
    refunds: [],
    reversals: [],
  };
}

export function newHold(
  id: string,
  now: number,
  payment: BookedPayment,
  { validUntil, minor }: { readonly validUntil: number; readonly minor: number },
): Hold {
  return {
    id,
    // A renewal is of funds that are held already.
    state: payment.holds.length > 0 || payment.temper.authorizes === 'at once' ? 'authorized' : 'pending',
    amount: amountOf(payment, minor),
    minor,
    paymentId: payment.id,
    reasonCode: undefined,
    validUntil: new Date(validUntil).toISOString(),
    ...changedAt(now),
  };
}

export function newSale(id: string, now: number, payment: BookedPayment): Collected {
  const minor = collectedMinor(payment);
  return {
    id,
    state: firstState(payment),
    amount: amountOf(payment, minor),
    minor,
    paymentId: payment.id,
    agreementId: undefined,
    reasonCode: undefined,
    ...changedAt(now),
  };
}

export function newCapture(
  id: string,
  now: number,
  payment: BookedPayment,
  { holdId, minor, isFinal, reference }: NewCapture,
): Collected {
  return {
    id,
    state: firstState(payment),
    amount: amountOf(payment, minor),
    minor,
    isFinalCapture: isFinal,
    invoiceNumber: reference,
    reference,
    custom: undefined,
    paymentId: payment.id,
    authorizationId: holdId,
    reasonCode: undefined,
    ...changedAt(now),
  };
}

export function collectedMinor({ minor, temper }: BookedPayment): number {
  return minor + temper.differsByMinor;
}

function firstState({ temper }: BookedPayment): 'completed' | 'pending' {
  return temper.settles === 'at once' ? 'completed' : 'pending';
}

function changedAt(now: number) {
  const at = new Date(now).toISOString();
  return { createTime: at, updateTime: at };
}
