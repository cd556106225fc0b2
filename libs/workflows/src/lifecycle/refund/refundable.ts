import { type Money, moneyText } from '../money.js';
import { type Collected, type RefundState, isRefundTerminal, sourceOf } from './refund.js';
import { returnedAmounts } from './returned-amounts.js';

/** A capture or a sale with its amount. */
export interface CollectedMoney extends Collected {
  /** Minor units of the payment's currency. */
  readonly minor: number;
  readonly status: 'pending' | 'completed' | 'denied';
}

/** A refund request; without an amount it asks for everything that is left. */
export interface RefundRequest {
  readonly amount?: Money;
  /** Required if the payment has several captures. */
  readonly collected?: Collected;
}

export type RequestRefusal =
  /** A part of the request is wrong. */
  | { readonly kind: 'invalid'; readonly part: 'amount' | 'currency' | 'collected'; readonly reason: string }
  /** The payment's state does not allow it. */
  | {
      readonly kind: 'conflict';
      readonly code: 'nothing_collected' | 'not_settled' | 'nothing_refundable' | 'refundable_amount_unknown';
      readonly reason: string;
    };

export type RequestResult =
  | { readonly kind: 'granted'; readonly collected: Collected; readonly amount: Money }
  | { readonly kind: 'refused'; readonly refusal: RequestRefusal };

/**
 * Whether a refund can be requested. Refunds under way or with an unknown outcome count as refunded, so that never more
 * goes back than was collected.
 *
 * @param collected the payment's captures or sale, in `currency`.
 * @param refunds all refunds and reversals of the payment, whoever made them.
 */
export function evaluateRequest(
  { amount, collected: named }: RefundRequest,
  collected: readonly CollectedMoney[],
  refunds: readonly RefundState[],
  currency: string,
): RequestResult {
  if (amount && amount.currency !== currency) return invalid('currency', `must be ${currency}, as collected`);
  const source = chooseSource(collected, named);
  if (source.kind === 'refused') return source;
  if (source.status !== 'completed')
    return conflict('not_settled', `The ${source.kind} is ${source.status}.`);
  const left = refundableOf(source, refunds);
  if (left === undefined) {
    return conflict('refundable_amount_unknown', whyUnknown(refunds));
  }
  if (left === 0 && !amount)
    return conflict('nothing_refundable', 'All of it has gone back, or is about to.');
  if (amount && amount.minor > left) {
    const most = moneyText({ minor: left, currency });
    return invalid('amount', left === 0 ? 'Nothing is left to refund.' : `At most ${most} can be refunded.`);
  }
  return {
    kind: 'granted',
    collected: { kind: source.kind, id: source.id },
    amount: amount ?? { minor: left, currency },
  };
}

/** The sum of `refundableOf` over all captures or the sale. */
export function refundableInAll(
  collected: readonly CollectedMoney[],
  refunds: readonly RefundState[],
): number | undefined {
  let sum = 0;
  for (const each of collected) {
    const left = refundableOf(each, refunds);
    if (left === undefined) return undefined;
    sum += left;
  }
  return sum;
}

/** Minor units that can still be refunded; undefined if the amount of a known refund or reversal is unknown. */
export function refundableOf(
  { id, minor, status }: CollectedMoney,
  refunds: readonly RefundState[],
): number | undefined {
  if (status !== 'completed') return 0;
  const ofIt = refunds.filter((refund) => (sourceOf(refund)?.id ?? id) === id);
  const { refunded, reversed } = returnedAmounts(ofIt);
  if (reversed === undefined) return undefined;
  const open = ofIt.filter((refund) => isOpenRefund(refund));
  if (open.some(({ amount }) => !amount)) return undefined;
  const underWay = open.reduce((sum, { amount }) => sum + (amount?.minor ?? 0), 0);
  return Math.max(0, minor - refunded - reversed - underWay);
}

/** A reversal under way counts like a completed one: by its amount, or as unknown. */
function isOpenRefund({ claim, status }: RefundState): boolean {
  return claim.kind !== 'reversal' && !isRefundTerminal(status);
}

function whyUnknown(refunds: readonly RefundState[]): string {
  return refunds.some(({ status, amount }) => !isRefundTerminal(status) && !amount)
    ? 'Money is said to have gone back, and the provider has not shown how much yet. Ask again later, under a new key.'
    : 'The payer’s bank has taken back a part, and the provider does not tell how much.';
}

type Refused = Extract<RequestResult, { kind: 'refused' }>;

function chooseSource(
  collected: readonly CollectedMoney[],
  named: Collected | undefined,
): CollectedMoney | Refused {
  if (named) {
    const found = collected.find(({ kind, id }) => kind === named.kind && id === named.id);
    return found ?? invalid('collected', `is no ${named.kind} of this payment`);
  }
  const [first, ...others] = collected.filter(({ status }) => status !== 'denied');
  if (!first) return conflict('nothing_collected', 'Nothing was collected that could be refunded.');
  return others.length === 0 ? first : invalid('collected', 'must be named, because there are several');
}

function invalid(part: 'amount' | 'currency' | 'collected', reason: string): Refused {
  return { kind: 'refused', refusal: { kind: 'invalid', part, reason } };
}

function conflict(code: Extract<RequestRefusal, { kind: 'conflict' }>['code'], reason: string): Refused {
  return { kind: 'refused', refusal: { kind: 'conflict', code, reason } };
}
