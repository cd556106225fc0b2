import type { Instant } from '#workflows/lifecycle';
import type { AgreementFacts } from '#workflows/lifecycle/subscription';
import { day, order, patience } from './sample-subscriptions.js';

export const month = 30 * day;
export const cycles = 12;
export const cycleMinor = 1_000;
export const readsLagMs = patience.outcomeHorizonMs / 2;

/** What becomes of a collection: a pending one is decided on days later, after other cycles and ends as well. */
export const collections = ['completed', 'completed', 'failed', 'pending', 'denied later'] as const;
export type Collection = (typeof collections)[number];
const settledAfterMs = 40 * day;

export interface Payment {
  readonly at: Instant;
  readonly minor: number;
  readonly status: 'completed' | 'failed' | 'pending' | 'refunded';
}

interface Standing {
  readonly at: Instant;
  readonly shown: string;
  readonly completed: number;
  readonly outstanding: number;
  readonly failed: number;
  readonly nextBillingAt: Instant;
  readonly payments: readonly Payment[];
}

/** The provider's own books: one agreement for each token that was executed. */
export class ModelProvider {
  hasPayerApproved = false;
  readonly executed = new Set<string>();
  /** The commands whose balance was billed, or set. */
  readonly billed = new Set<string>();
  /** The provider bills nothing while this is so, whatever is due. */
  isIdle = false;
  private tokens = 0;
  private readonly past: Standing[] = [];
  private readonly settling: { at: Instant; payment: Instant; as: Collection }[] = [];

  /** @param results of collections, the setup fee's first. */
  constructor(
    private readonly results: Collection[] = [],
    private readonly feeFailure: 'continue' | 'cancel' = 'continue',
  ) {}

  get standing(): Standing | undefined {
    return this.past.at(-1);
  }

  newToken(): string {
    this.tokens += 1;
    return `EC-${this.tokens}`;
  }

  execute(token: string, at: Instant): boolean {
    if (!this.hasPayerApproved) return false;
    if (this.executed.has(token)) return true;
    this.executed.add(token);
    const nothing = { completed: 0, outstanding: 0, failed: 0, payments: [] };
    this.past.push({ at, shown: 'Active', nextBillingAt: at + day, ...nothing });
    const result = this.collect(order.setupFeeMinor, at);
    if (result === 'pending' || result === 'denied later') this.become(at, { shown: 'Pending' });
    if (result === 'failed') this.refuseFee(at);
    return true;
  }

  /** @returns false where its state excludes the change. */
  change(shown: 'Suspended' | 'Active' | 'Cancelled', at: Instant): boolean {
    const before = this.standing?.shown;
    const isPossible =
      shown === 'Suspended'
        ? before === 'Active'
        : shown === 'Active'
          ? before === 'Suspended'
          : before === 'Active' || before === 'Suspended';
    if (isPossible) this.become(at, { shown });
    return isPossible;
  }

  /** Collects a part of what is outstanding. @returns false where it is refused, or the payer's source declines it. */
  billBalance(commandId: string, minor: number, at: Instant): boolean {
    const { shown, outstanding } = this.now();
    if (shown === 'Pending' || shown === 'Cancelled' || minor > outstanding) return false;
    if (this.results.shift() === 'failed') return false;
    if (this.billed.has(commandId)) throw new Error('a balance was billed twice');
    this.billed.add(commandId);
    // A payment is known by its instant.
    const { payments } = this.now();
    const paidAt = Math.max(at, ...payments.map((payment) => payment.at + 1));
    const paid = { at: paidAt, minor, status: 'completed' } as const;
    this.become(at, { payments: [...payments, paid], outstanding: outstanding - minor, failed: 0 });
    return true;
  }

  /** @returns false where it is refused: it can only be lowered. */
  setBalance(commandId: string, minor: number, at: Instant): boolean {
    const { shown, outstanding } = this.now();
    if (shown === 'Pending' || shown === 'Cancelled' || minor > outstanding) return false;
    if (this.billed.has(commandId)) throw new Error('a balance was set twice');
    this.billed.add(commandId);
    this.become(at, { outstanding: minor });
    return true;
  }

  /** @returns false where nothing could be given back. */
  refund(at: Instant): boolean {
    const payments = this.standing?.payments ?? [];
    const last = payments.findLast(({ status }) => status === 'completed');
    if (!last) return false;
    this.become(at, {
      payments: payments.map((one) => (one === last ? { ...one, status: 'refunded' } : one)),
    });
    return true;
  }

  /** Bills and settles what has fallen due; what passes while it is suspended is put off. */
  billUntil(until: Instant): void {
    for (let due = this.nextDue(until); due; due = this.nextDue(until)) {
      if (due.kind === 'settle') this.settleNext();
      else this.bill(due.at);
    }
  }

  /** @param lags whether the read shows what was a while ago. */
  read(at: Instant, lags: boolean): { facts: AgreementFacts; payments: readonly Payment[] } | undefined {
    const seen = lags ? this.past.findLast((standing) => standing.at <= at - readsLagMs) : this.standing;
    if (!seen) return undefined;
    const last = seen.payments.findLast(({ status }) => status === 'completed' || status === 'refunded');
    const billing = {
      updatedAt: seen.at,
      cyclesCompleted: seen.completed,
      ...(seen.shown === 'Active' && { nextBillingAt: seen.nextBillingAt }),
      ...(last && { lastPaymentAt: last.at, lastPaymentMinor: last.minor }),
      outstandingMinor: seen.outstanding,
      failedPayments: seen.failed,
    };
    return { facts: { agreementId: 'I-1', shown: seen.shown, billing }, payments: seen.payments };
  }

  private nextDue(until: Instant): { kind: 'settle' | 'bill'; at: Instant } | undefined {
    const [settling] = this.settling;
    const { shown = '', nextBillingAt = until + 1 } = this.standing ?? {};
    const isBilled = !this.isIdle && (shown === 'Active' || shown === 'Suspended') && nextBillingAt <= until;
    const settles = settling !== undefined && settling.at <= until;
    if (settles && !(isBilled && nextBillingAt < settling.at)) return { kind: 'settle', at: settling.at };
    return isBilled ? { kind: 'bill', at: nextBillingAt } : undefined;
  }

  private bill(at: Instant): void {
    const { shown, completed, outstanding } = this.now();
    if (shown === 'Suspended') return this.become(at, { nextBillingAt: at + month });
    const done = completed + 1;
    this.become(at, {
      completed: done,
      nextBillingAt: at + month,
      shown: done === cycles ? 'Expired' : 'Active',
    });
    this.collect(cycleMinor + outstanding, at);
  }

  private collect(minor: number, at: Instant): Collection {
    const result = this.results.shift() ?? 'completed';
    const { payments } = this.now();
    const isPending = result === 'pending' || result === 'denied later';
    const status = isPending ? 'pending' : result === 'failed' ? 'failed' : 'completed';
    this.become(at, { payments: [...payments, { at, minor, status }] });
    if (isPending) this.settling.push({ at: at + settledAfterMs, payment: at, as: result });
    else this.count(status === 'completed', minor, at);
    if (isPending) this.become(at, { outstanding: 0 });
    return result;
  }

  private settleNext(): void {
    const next = this.settling.shift();
    if (!next) return;
    const { payments, shown } = this.now();
    const payment = payments.find(({ at, status }) => at === next.payment && status === 'pending');
    if (!payment) return;
    const status = next.as === 'pending' ? 'completed' : 'failed';
    this.become(next.at, { payments: payments.map((one) => (one === payment ? { ...one, status } : one)) });
    if (shown === 'Pending' && status === 'failed') return this.refuseFee(next.at);
    this.count(status === 'completed', payment.minor, next.at);
    if (shown === 'Pending') this.become(next.at, { shown: 'Active' });
  }

  /** What failed is outstanding, and collected with the next cycle. */
  private count(isPaid: boolean, minor: number, at: Instant): void {
    const { outstanding, failed } = this.now();
    this.become(
      at,
      isPaid
        ? { outstanding: 0, failed: 0 }
        : { outstanding: Math.max(outstanding, minor), failed: failed + 1 },
    );
  }

  private refuseFee(at: Instant): void {
    this.become(
      at,
      this.feeFailure === 'cancel' ? { shown: 'Cancelled', outstanding: 0, failed: 0 } : { shown: 'Active' },
    );
  }

  private now(): Standing {
    const { standing } = this;
    if (!standing) throw new Error('no agreement');
    return standing;
  }

  private become(at: Instant, changed: Partial<Standing>): void {
    this.past.push({ ...this.now(), ...changed, at });
  }
}
