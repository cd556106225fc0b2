import { type ItemStatus, isOpenItem, readingOf } from '#workflows/lifecycle/payout/item.js';
import { payoutLifecycle, isOfEndedItem, isAlreadyKnown, type ItemTotals } from '#workflows/lifecycle/payout';
import {
  type PayoutEffect,
  type PayoutEvent,
  type PayoutState,
  isTerminal,
  orderedPayout,
} from '#workflows/lifecycle/payout/payout.js';
import { day, now as orderedAt, order, patience } from './sample-payouts.js';

/** What becomes of a POST. Everything but an answer, a refusal and a deferral leaves the sender without a reply. */
export const postResults = [
  'answered',
  'refused',
  'deferred',
  'request lost',
  'reply lost',
  'executed late',
] as const;
export type PostResult = (typeof postResults)[number];

interface Attempt {
  readonly at: number;
  /** Nobody knows what came of it. */
  readonly isOpen: boolean;
}

/** A provider reduced to its books: it takes a batch of one id once in 30 days, and another one after that. */
class ModelProvider {
  readonly batches: number[] = [];
  batchStatus: 'PENDING' | 'SUCCESS' | 'DENIED' = 'PENDING';
  readonly items: ItemStatus[] = Array.from({ length: order.items }, () => 'pending');
  /** How each read lags behind: it shows the items as they were. */
  lagMs = 0;
  private late: number[] = [];
  private now = 0;
  private readonly past: { readonly at: number; readonly items: readonly ItemStatus[] }[] = [];

  passTo(now: number): void {
    this.now = now;
    for (const at of this.late.filter((due) => due <= now)) this.execute(at);
    this.late = this.late.filter((due) => due > now);
  }

  execute(now: number): void {
    const last = this.batches.at(-1);
    if (last === undefined || now - last >= 30 * day) this.batches.push(now);
  }

  executeLater(at: number): void {
    this.late.push(at);
  }

  /** Takes an item one step on, where it may go there. */
  move(at: number, status: ItemStatus): void {
    const known = this.items[at];
    this.past.push({ at: this.now, items: [...this.items] });
    if (this.batchStatus === 'SUCCESS' && known && readingOf(known, status) === 'moved')
      this.items[at] = status;
  }

  shownItems(): readonly ItemStatus[] {
    const then = this.past.find(({ at }) => at > this.now - this.lagMs);
    return then?.items ?? this.items;
  }
}

/** A payout's run without Temporal, and its rows without a database: what it decides, and what a provider makes of it. */
export class ModelRun {
  readonly provider = new ModelProvider();
  now = orderedAt;
  state: PayoutState = orderedPayout(order);
  rows: ItemStatus[] = Array.from({ length: order.items }, () => 'queued');
  readonly ends: string[] = [];
  /** Items of which the provider has told that they were given back. */
  readonly givenBack = new Set<number>();
  /** Reads that fail, from the next one on. */
  failingReads = 0;
  private readonly attempts: Attempt[] = [];

  constructor(private readonly postResults: PostResult[]) {
    this.follow({ type: 'perform', step: { type: 'createPayout' } });
  }

  send(event: PayoutEvent): void {
    const result = payoutLifecycle.transition(this.state, event, this.now);
    this.state = result.state;
    if (isTerminal(this.state.status) && this.ends.at(-1) !== this.state.status)
      this.ends.push(this.state.status);
    if (result.kind === 'moved' && result.effect) this.follow(result.effect);
  }

  /** A receiver gives back what was paid, and the provider tells of it; whether the run hears of it, its rows decide. */
  giveBack(at: number): void {
    if (this.provider.items[at] !== 'success') return;
    this.provider.move(at, 'refunded');
    this.givenBack.add(at);
    const resource = { kind: 'payout_item', id: `ITEM-${at}`, state: 'REFUNDED' } as const;
    if (isAlreadyKnown(this.state, resource)) return;
    const isOfEnded = isOfEndedItem(this.state, resource);
    this.send({
      type: 'providerNotified',
      eventType: 'TEST',
      ...(isOfEnded && { isOfEndedItem: true }),
    });
  }

  /** @returns false when nothing is due any more. */
  waitForNextDeadline(): boolean {
    const deadline = payoutLifecycle.nextDeadline(this.state);
    if (!deadline) return false;
    this.passTo(Math.max(this.now, deadline.at));
    this.send(deadline.event);
    return true;
  }

  passTo(instant: number): void {
    this.now = instant;
    this.provider.passTo(instant);
  }

  /** The provider answers again, and everything comes to its end. */
  liveOn(): void {
    this.postResults.length = 0;
    for (let n = 0; n < 500; n += 1) {
      if (this.provider.batches.length > 0 && this.provider.batchStatus === 'PENDING')
        this.provider.batchStatus = 'SUCCESS';
      if (n > 20)
        this.provider.items.forEach((status, at) => isOpenItem(status) && this.provider.move(at, 'returned'));
      if (!this.waitForNextDeadline()) return;
    }
  }

  private follow(effect: PayoutEffect): void {
    switch (effect.type) {
      case 'perform':
        return this.send(this.post(effect.step.type === 'createPayout'));
      case 'lookUp':
        return this.send({ type: 'lookInconclusive' });
      case 'observe':
        return this.send(this.read());
      case 'verifyDecision':
        return this.send({ type: 'decisionRefused', commandId: '', code: 'too_early', reason: '' });
    }
  }

  private post(isCreation: boolean): PayoutEvent {
    if (!isCreation) return { type: 'stepDeclined', reason: 'no item is cancelled in this model' };
    const postResult = this.postResults.shift() ?? 'answered';
    const horizonAt = this.now + patience.outcomeHorizonMs;
    const unknown: PayoutEvent = { type: 'outcomeUnknown', horizonAt };
    const earlier = this.attempts
      .filter(({ isOpen }) => isOpen)
      .map(({ at }) => at + patience.outcomeHorizonMs);
    this.attempts.push({
      at: this.now,
      isOpen: postResult.endsWith('lost') || postResult === 'executed late',
    });
    switch (postResult) {
      case 'answered':
        this.provider.execute(this.now);
        return { type: 'payoutCreated', providerBatchId: 'BATCH-1' };
      case 'refused': {
        // A batch that is there answers by its own id.
        if (this.provider.batches.length > 0) return { type: 'payoutCreated', providerBatchId: 'BATCH-1' };
        const last = Math.max(0, ...earlier);
        if (this.now < last) return { type: 'outcomeUnknown', horizonAt: last, refusal: 'refused' };
        return { type: 'stepDeclined', reason: 'refused' };
      }
      case 'deferred':
        return { type: 'stepDeferred', retryAt: this.now + 1_000 };
      case 'request lost':
        return unknown;
      case 'reply lost':
        this.provider.execute(this.now);
        return unknown;
      case 'executed late':
        this.provider.executeLater(horizonAt - 1);
        return unknown;
    }
  }

  private read(): PayoutEvent {
    if (this.failingReads > 0) {
      this.failingReads -= 1;
      return { type: 'observationFailed' };
    }
    const { batchStatus } = this.provider;
    const items = this.provider.shownItems();
    if (batchStatus === 'PENDING' || this.state.status === 'processing') {
      return { type: 'payoutObserved', facts: { batchStatus } };
    }
    this.rows = this.rows.map((known, at) => {
      const shown = items[at] ?? known;
      return readingOf(known, shown) === 'moved' ? shown : known;
    });
    return { type: 'payoutObserved', facts: { batchStatus, totals: totalsOf(this.rows) } };
  }
}

export function totalsOf(statuses: readonly ItemStatus[]): ItemTotals {
  const totals: Partial<Record<ItemStatus, { count: number; minor: number }>> = {};
  for (const status of statuses) {
    const { count, minor } = totals[status] ?? { count: 0, minor: 0 };
    totals[status] = { count: count + 1, minor: minor + 1_000 };
  }
  return totals;
}
