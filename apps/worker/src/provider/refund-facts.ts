import {
  type Capture,
  type PaymentsClient,
  type Refund,
  type Sale,
  type Transaction,
  NotFoundError,
} from '#payments-client';
import { type Money, parseMoney } from '#workflows/lifecycle';
import {
  type AnsweredRefund,
  type Collected,
  type RefundFacts,
  type RefundRequestClaim,
  statusShown,
} from '#workflows/lifecycle/refund';
import { UnreadableAnswerError } from './provider-facts.js';
import { lookLimit } from './provider-clients.js';

/** What the provider shows of a refund or chargeback, and the ids that show which payment it belongs to. */
export interface ShownRefund {
  readonly facts: Omit<RefundFacts, 'paymentId' | 'madeBy'>;
  readonly belongsTo: readonly string[];
  /** False if the answers leave out whose money it was: then it can be anybody's. */
  readonly isOwnerNamed: boolean;
  /** The provider's answer for a refund; a reversal is not a resource of the provider. */
  readonly refund?: Refund;
  /** For a reversal whose capture or sale shows what all have taken: the completed refunds of that capture or sale. */
  readonly refunds?: readonly Refund[];
}

/** Reads a refund, then its capture or sale. In this order the second read includes the refund. */
export async function readRefund(client: PaymentsClient, refundId: string): Promise<ShownRefund | 'missing'> {
  const signal = lookLimit();
  const refund = await orMissing(client.refunds.get(refundId, { signal }));
  if (refund === 'missing') return 'missing';
  const collected = collectedBy(refund);
  const source = await readCollected(client, collected, signal);
  return {
    facts: {
      state: refund.state,
      amount: moneyOf(refund.amount),
      collected: { ...collected, amount: moneyOf(source.amount), state: source.state },
      ...settledAt(refund.updateTime),
    },
    belongsTo: idsOf(collected.id, refund.paymentId, source.paymentId),
    isOwnerNamed: refund.paymentId !== undefined || isOwnerNamed(source),
    refund,
  };
}

/**
 * Reads a capture or sale that was reported as charged back. The provider shows a chargeback only by a reason and by
 * the total that has gone back. So what chargebacks have taken is known only if everything has gone back.
 *
 * @throws {UnreadableAnswerError} if the answer shows neither a chargeback nor that there was none.
 */
export async function readReversal(
  client: PaymentsClient,
  collected: Collected,
): Promise<ShownRefund | 'missing'> {
  const signal = lookLimit();
  const source = await orMissing(readCollected(client, collected, signal));
  if (source === 'missing' || isUntouched(source.state)) return 'missing';
  if (source.reasonCode !== 'CHARGEBACK') {
    if (await isGivenBackByRefunds(client, source, signal)) return 'missing';
    throw new UnreadableAnswerError();
  }
  const total = moneyOf(source.amount);
  const facts = {
    state: 'completed',
    collected: { ...collected, amount: total, state: source.state },
    ...settledAt(source.updateTime),
  };
  const owner = {
    belongsTo: idsOf(collected.id, source.paymentId),
    isOwnerNamed: isOwnerNamed(source),
  };
  const unknownAmount = { facts: withoutAmount(facts), ...owner };
  // It was charged back, even if the state is unknown. A later read may show the amount.
  if (!hasGivenBack(source.state)) return unknownAmount;
  if (source.state !== 'refunded') return { facts, ...owner };
  // An incomplete answer may lack even the payment's id.
  if (source.paymentId === undefined) return unknownAmount;
  const refunds = await refundsOf(client, source.paymentId, collected, signal);
  if (refunds === 'inconsistent') return unknownAmount;
  const chargedBack = { ...total, minor: Math.max(0, total.minor - sumOf(refunds)) };
  return { facts: { ...facts, chargedBack }, ...owner, refunds };
}

/**
 * Shown as pending, so that it is read again. If it were completed without an amount, nothing would ask for the amount
 * again.
 */
export function withoutAmount<Facts extends ShownRefund['facts']>({
  amount: _unknown,
  chargedBack: _too,
  ...facts
}: Facts) {
  return { ...facts, state: 'pending' };
}

/**
 * The facts of the answer to our request, or of a refund with its reference.
 *
 * @throws {UnreadableAnswerError} if the refund is not the requested one: nothing can be concluded from it.
 */
export function answeredRefund(refund: Refund, claim: RefundRequestClaim): AnsweredRefund {
  if (!isAsRequested(refund, claim)) throw new UnreadableAnswerError();
  return { providerRefundId: refund.id, state: refund.state, ...settledAt(refund.updateTime) };
}

export function isAsRequested(refund: Refund, { collected, amount }: RefundRequestClaim): boolean {
  const { minor, currency } = moneyOf(refund.amount);
  return minor === amount.minor && currency === amount.currency && mayBeOf(collected.id)(refund);
}

function collectedBy({ captureId, saleId }: Refund): Collected {
  if (captureId !== undefined) return { kind: 'capture', id: captureId };
  if (saleId !== undefined) return { kind: 'sale', id: saleId };
  throw new UnreadableAnswerError();
}

/** A sale of a subscription names its agreement instead of a payment. */
function isOwnerNamed(source: Capture | Sale): boolean {
  return source.paymentId !== undefined || ('agreementId' in source && source.agreementId !== undefined);
}

async function readCollected(client: PaymentsClient, { kind, id }: Collected, signal: AbortSignal) {
  return kind === 'capture'
    ? await client.captures.get(id, { signal })
    : await client.sales.get(id, { signal });
}

/**
 * Whether refunds account for everything that went back of a capture or sale without a chargeback reason. An incomplete
 * answer without the reason looks the same, so the payment's refunds are checked.
 */
async function isGivenBackByRefunds(
  client: PaymentsClient,
  { id, state, amount, paymentId }: Capture | Sale,
  signal: AbortSignal,
): Promise<boolean> {
  if (!hasGivenBack(state) || paymentId === undefined) return false;
  const { transactions } = await client.payments.get(paymentId, { signal });
  const source = findCollected(transactions, id);
  if (source?.state !== state || source.reasonCode === 'CHARGEBACK') return false;
  const refunded = sumOf(transactions.flatMap(({ refunds }) => completedOf(refunds, id)));
  return state === 'refunded' ? refunded >= moneyOf(amount).minor : refunded > 0;
}

/**
 * The completed refunds of a capture or sale of which everything has gone back. A refund missing in an incomplete
 * answer would be counted as charged back, so two answers must agree.
 */
async function refundsOf(
  client: PaymentsClient,
  paymentId: string,
  collected: Collected,
  signal: AbortSignal,
): Promise<readonly Refund[] | 'inconsistent'> {
  const first = await readRefundsOf(client, paymentId, collected, signal);
  if (first === 'inconsistent') return 'inconsistent';
  const second = await readRefundsOf(client, paymentId, collected, signal);
  return second !== 'inconsistent' && areSame(first, second) ? second : 'inconsistent';
}

/**
 * The state and the refunds must come from one answer. With two answers that lag differently, a refund that one of them
 * does not show yet would be counted as charged back.
 */
async function readRefundsOf(
  client: PaymentsClient,
  paymentId: string,
  { id }: Collected,
  signal: AbortSignal,
): Promise<readonly Refund[] | 'inconsistent'> {
  const { transactions } = await client.payments.get(paymentId, { signal });
  const refunds = transactions.flatMap((transaction) => transaction.refunds).filter(mayBeOf(id));
  const isShown = findCollected(transactions, id)?.state === 'refunded' && refunds.every(isFinalOf(id));
  return isShown ? completedOf(refunds, id) : 'inconsistent';
}

/** A refund without a capture or sale id may belong to this one. */
export function mayBeOf(collectedId: string) {
  return (refund: Refund): boolean => (sourceOf(refund) ?? collectedId) === collectedId;
}

/** The amount of a pending refund may come back, and an unknown state shows nothing. */
function isFinalOf(collectedId: string) {
  return (refund: Refund): boolean =>
    sourceOf(refund) === collectedId && statusShown(refund.state) !== 'pending';
}

function completedOf(refunds: readonly Refund[], collectedId: string): Refund[] {
  return refunds.filter((refund) => sourceOf(refund) === collectedId && refund.state === 'completed');
}

/** The id of the refunded capture or sale. */
export function sourceOf({ captureId, saleId }: Refund): string | undefined {
  return captureId ?? saleId;
}

function areSame(some: readonly Refund[], others: readonly Refund[]): boolean {
  const amounts = new Map(others.map(({ id, amount }) => [id, moneyOf(amount).minor]));
  return (
    some.length === others.length && some.every(({ id, amount }) => amounts.get(id) === moneyOf(amount).minor)
  );
}

export function sumOf(refunds: readonly Refund[]): number {
  return refunds.reduce((sum, { amount }) => sum + moneyOf(amount).minor, 0);
}

export function findCollected(transactions: readonly Transaction[], id: string): Capture | Sale | undefined {
  return transactions
    .flatMap(({ captures, sales }) => [...captures, ...sales])
    .find((collected) => collected.id === id);
}

/** 'missing' if the provider answers that it does not exist. Other failures show nothing and are thrown. */
async function orMissing<T>(reading: Promise<T>): Promise<T | 'missing'> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof NotFoundError) return 'missing';
    throw error;
  }
}

export function hasGivenBack(state: string): boolean {
  return state === 'refunded' || state === 'partially_refunded';
}

/** Nothing has gone back. An unknown state is not counted. */
function isUntouched(state: string): boolean {
  return state === 'pending' || state === 'completed' || state === 'denied';
}

export function moneyOf({ value, currency }: Refund['amount']): Money {
  return parseMoney(value, currency);
}

function settledAt(time: string | undefined): { readonly settledAt?: number } {
  return time === undefined ? {} : { settledAt: Date.parse(time) };
}

function idsOf(...ids: readonly (string | undefined)[]): string[] {
  return ids.filter((id) => id !== undefined);
}
