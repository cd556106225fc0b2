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

/** What the provider shows of money that went back, and the ids by which it is known whose it was. */
export interface ShownRefund {
  readonly facts: Omit<RefundFacts, 'paymentId' | 'madeBy'>;
  readonly belongsTo: readonly string[];
  /** Of one that is a resource of the provider's, a reversal is none: as it was answered. */
  readonly refund?: Refund;
  /** Of a reversal whose amount follows from them: the refunds that were completed of the same capture or sale. */
  readonly refundIds?: readonly string[];
}

/** Reads a refund, then what it gives back from: the later read shows what the earlier one tells. */
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
    refund,
  };
}

/**
 * Reads a capture or sale that is said to have been charged back. The provider tells a chargeback by its reason and by
 * how much has gone back in all; so how much of it was charged back follows only where all of it has gone back.
 *
 * @throws {UnreadableAnswerError} when it shows neither the chargeback nor that there was none.
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
  const belongsTo = idsOf(collected.id, source.paymentId);
  const inDoubt = { facts: amountInDoubt(facts), belongsTo };
  // Charged back it was, whatever that state means: perhaps all of it, which a later read may tell.
  if (!hasGivenBack(source.state)) return inDoubt;
  if (source.state !== 'refunded') return { facts, belongsTo };
  // An answer that is cut short may lack even what it belongs to.
  if (source.paymentId === undefined) return inDoubt;
  const refunds = await refundsOf(client, source.paymentId, collected, signal);
  if (refunds === 'inconsistent') return inDoubt;
  const amount = { ...total, minor: Math.max(0, total.minor - sumOf(refunds)) };
  return { facts: { ...facts, amount }, belongsTo, refundIds: refunds.map(({ id }) => id) };
}

/** Pending, it is read again and again: told as completed without its amount, nobody would ask for that any more. */
export function amountInDoubt<Facts extends ShownRefund['facts']>({ amount: _doubted, ...facts }: Facts) {
  return { ...facts, state: 'pending' };
}

/**
 * What an answer to our own request says, or a refund that bears its reference.
 *
 * @throws {UnreadableAnswerError} when it is not what was asked for: nothing can be decided from that.
 */
export function answeredRefund(refund: Refund, { collected, amount }: RefundRequestClaim): AnsweredRefund {
  const shown = moneyOf(refund.amount);
  const source = sourceOf(refund) ?? collected.id;
  const isAsAsked = shown.minor === amount.minor && shown.currency === amount.currency;
  if (!isAsAsked || source !== collected.id) throw new UnreadableAnswerError();
  return { providerRefundId: refund.id, state: refund.state, ...settledAt(refund.updateTime) };
}

function collectedBy({ captureId, saleId }: Refund): Collected {
  if (captureId !== undefined) return { kind: 'capture', id: captureId };
  if (saleId !== undefined) return { kind: 'sale', id: saleId };
  throw new UnreadableAnswerError();
}

async function readCollected(client: PaymentsClient, { kind, id }: Collected, signal: AbortSignal) {
  return kind === 'capture'
    ? await client.captures.get(id, { signal })
    : await client.sales.get(id, { signal });
}

/**
 * Whether refunds are all that gave back of a capture or sale which names no chargeback. A refund gives no reason, so an
 * answer that leaves the reason out looks like one; the payment has to bear it out.
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
 * The refunds that were completed of a capture or sale of which all has gone back. Nothing else tells of a refund that
 * an answer leaves out, and it would be told as charged back: so two answers have to agree.
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
 * That all has gone back and the refunds must come from one answer: of two that lag apart, the one would show as charged
 * back what the other does not show as refunded yet.
 */
async function readRefundsOf(
  client: PaymentsClient,
  paymentId: string,
  { id }: Collected,
  signal: AbortSignal,
): Promise<readonly Refund[] | 'inconsistent'> {
  const { transactions } = await client.payments.get(paymentId, { signal });
  const refunds = transactions.flatMap((transaction) => transaction.refunds).filter(mayBeOf(id));
  const isTold = findCollected(transactions, id)?.state === 'refunded' && refunds.every(isFinalOf(id));
  return isTold ? completedOf(refunds, id) : 'inconsistent';
}

/** One that does not say what it gives back from may give back from this. */
export function mayBeOf(collectedId: string) {
  return (refund: Refund): boolean => (sourceOf(refund) ?? collectedId) === collectedId;
}

/** What a pending refund has taken may come back, and a state that we do not know says nothing of it. */
function isFinalOf(collectedId: string) {
  return (refund: Refund): boolean =>
    sourceOf(refund) === collectedId && statusShown(refund.state) !== 'pending';
}

function completedOf(refunds: readonly Refund[], collectedId: string): Refund[] {
  return refunds.filter((refund) => sourceOf(refund) === collectedId && refund.state === 'completed');
}

/** The id of the capture or sale that it says it gives back from. */
function sourceOf({ captureId, saleId }: Refund): string | undefined {
  return captureId ?? saleId;
}

function areSame(some: readonly Refund[], others: readonly Refund[]): boolean {
  const amounts = new Map(others.map(({ id, amount }) => [id, moneyOf(amount).minor]));
  return (
    some.length === others.length && some.every(({ id, amount }) => amounts.get(id) === moneyOf(amount).minor)
  );
}

function sumOf(refunds: readonly Refund[]): number {
  return refunds.reduce((sum, { amount }) => sum + moneyOf(amount).minor, 0);
}

/** The capture or sale of that id. */
export function findCollected(transactions: readonly Transaction[], id: string): Capture | Sale | undefined {
  return transactions
    .flatMap(({ captures, sales }) => [...captures, ...sales])
    .find((collected) => collected.id === id);
}

/** The provider does not show it; any other failure is silence, and says nothing. */
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

/** Nothing has gone back; a state that we do not know excludes nothing. */
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
