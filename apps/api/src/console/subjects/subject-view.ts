import {
  type AmountDetails,
  amountParts,
  amountsOf,
  currentDeadlines,
  policyCaptureAt,
  reauthorizationAt,
  willExpiryPolicyAct,
} from '#workflows/lifecycle/payment';
import { collectedBy, refundableInAll, returnedAmounts } from '#workflows/lifecycle/refund';
import type { PaymentWithRefunds } from '#database/subjects';
import { payoutSentence, planSentence, refundSentence, subscriptionSentence } from '../sentences/others.js';
import { paymentSentence } from '../sentences/payment.js';
import { money } from '../sentences/words.js';
import type { HistoryEntry } from '../history/history-entry.js';
import type { AnySubject } from './console-subjects.js';

interface NamedAmount {
  readonly name: string;
  readonly value: string;
}

/** What a page says of a subject before its history. */
export interface SubjectView {
  readonly title: string;
  readonly sentence: string;
  readonly currency: string;
  readonly amounts: readonly NamedAmount[];
  readonly toCome: readonly HistoryEntry[];
}

export function viewSubject(subject: AnySubject, now: number): SubjectView {
  const toCome = stepTimers(subject);
  switch (subject.kind) {
    case 'payment': {
      const { row } = subject;
      return {
        title: `Payment of order ${row.order_id}`,
        sentence: paymentSentence(row.state, now),
        currency: row.state.order.amount.currency,
        amounts: amountsOfPayment(row),
        toCome: [...toCome, ...paymentTimers(row)],
      };
    }
    case 'refund': {
      const { state } = subject.row;
      return {
        title: state.claim.kind === 'reversal' ? 'Chargeback' : 'Refund',
        sentence: refundSentence(state, now),
        currency: state.amount?.currency ?? '',
        amounts: state.amount
          ? [{ name: 'Amount', value: money(state.amount.minor, state.amount.currency) }]
          : [],
        toCome,
      };
    }
    case 'subscription':
      return {
        title: `Subscription: ${subject.row.name}`,
        sentence: subscriptionSentence(subject.row, now),
        currency: subject.row.state.order.currency,
        amounts: [],
        toCome: [...toCome, ...billingTimers(subject.row.state.billing?.nextBillingAt)],
      };
    case 'plan':
      return {
        title: `Plan: ${subject.row.name}`,
        sentence: planSentence(subject.row, now),
        currency: '',
        amounts: [],
        toCome,
      };
    case 'payout':
      return {
        title: `Payout ${subject.row.reference ?? subject.row.id}`,
        sentence: payoutSentence(subject.row, now),
        currency: subject.row.state.order.total.currency,
        amounts: amountsOfPayout(subject.row),
        toCome,
      };
  }
}

const partNames: Readonly<Record<keyof AmountDetails, string>> = {
  subtotal: 'Goods',
  shipping: 'Shipping',
  tax: 'Tax',
  handlingFee: 'Handling',
  insurance: 'Insurance',
  giftWrap: 'Gift wrap',
  shippingDiscount: 'Shipping discount',
};

export function amountsOfPayment({ state, refunds }: PaymentWithRefunds): NamedAmount[] {
  const { currency, minor } = state.order.amount;
  const { authorized, captured, pending, capturable, released } = amountsOf(state);
  const states = refunds.map((refund) => refund.state);
  const { refunded, reversed } = returnedAmounts(states);
  const refundable = refundableInAll(collectedBy(state), states);
  const amounts: readonly (readonly [string, number | undefined])[] = [
    ['Ordered', minor],
    ...amountParts.map((part) => [`– ${partNames[part]}`, state.order.amountDetails?.[part] ?? 0] as const),
    ['Held', authorized],
    ['Captured', captured],
    ['On its way', pending],
    ['Capturable', capturable],
    ['Released', released],
    ['Refunded', refunded],
    ['Refundable', refundable],
    ['Charged back', reversed],
  ];
  // Of the amounts that are usually zero only those are shown that are not.
  return amounts
    .filter(([name, value]) => value !== 0 || name === 'Captured')
    .map(([name, value]) => ({ name, value: value === undefined ? 'unknown' : money(value, currency) }));
}

function amountsOfPayout({ state, totals }: Extract<AnySubject, { kind: 'payout' }>['row']): NamedAmount[] {
  const { minor, currency } = state.order.total;
  const ofItems = Object.entries(totals)
    .filter(([, { count }]) => count > 0)
    .map(([status, total]) => ({
      name: `Items ${status}`,
      value: `${total.count} (${money(total.minor, currency)})`,
    }));
  return [{ name: 'Total', value: money(minor, currency) }, ...ofItems];
}

function stepTimers({ row }: AnySubject): HistoryEntry[] {
  const { openStep } = row.state;
  if (!openStep || openStep.phase === 'running') return [];
  const { phase, nextAt, reviewAt } = openStep;
  const next = phase === 'doubt' ? 'looks the outcome up again' : 'repeats the call';
  return [
    timer('Engine', next, nextAt),
    timer('Clock', 'A person must decide, if nothing is known by then', reviewAt),
  ].flat();
}

function paymentTimers({ state }: PaymentWithRefunds): HistoryEntry[] {
  const { status, order } = state;
  if (status === 'awaiting_approval') return timer('Clock', 'The time for approval ends', order.approvalBy);
  const hold = currentDeadlines(state);
  if (!hold) return [];
  return [
    timer('Policy of the order', 'captures what can be captured', policyCaptureAt(state, hold)),
    timer('Clock', 'The honour period ends: the funds are no longer guaranteed', hold.honourUntil),
    timer('Policy of the order', 'holds the funds again', reauthorizationAt(state)),
    timer(
      'Policy of the order',
      order.expiryPolicy.action === 'capture' ? 'captures the rest' : 'gives the rest back',
      willExpiryPolicyAct(state) ? hold.expiryPolicyAt : undefined,
    ),
    timer('Clock', 'The capture window ends', hold.captureUntil),
  ].flat();
}

function billingTimers(at: number | undefined): HistoryEntry[] {
  return timer('Provider', 'bills the next cycle', at);
}

function timer(actor: string, text: string, at: number | undefined): HistoryEntry[] {
  return at === undefined ? [] : [{ at, actor, text, mark: 'to-come' }];
}
