import type { PayoutBatch, PayoutItem } from '#payments-client';
import type { CreatePayoutRequest } from '#payments-client';
import type { World } from '../core/world.js';
import { Refused } from './exchange.js';
import { Snapshots } from './snapshots.js';

const dayMs = 86_400_000;
/** Its days are short here: what waits longer is only polled more often. */
const unclaimedMs = 2 * dayMs;

/** What becomes of a batch, drawn with its order. */
export interface BatchTemper {
  readonly isRefused: boolean;
  readonly end: 'SUCCESS' | 'DENIED';
}

export interface BookedBatch {
  readonly id: string;
  readonly senderBatchId: string;
  status: string;
  items: readonly PayoutItem[];
}

export interface ShownBatch {
  readonly batch: PayoutBatch;
  readonly items: readonly PayoutItem[];
}

/** The provider's books of payouts. */
export class PayoutBooks {
  readonly batches = new Map<string, BookedBatch>();
  readonly shown = new Snapshots<ShownBatch>();
  readonly tempers = new Map<string, BatchTemper>();
  onEvent: (
    batch: BookedBatch,
    event: { readonly kind: 'payout' | 'payout_item'; readonly id: string; readonly state: string },
  ) => void = () => undefined;

  constructor(private readonly world: World) {}

  create({ senderBatchId, items }: CreatePayoutRequest): PayoutBatch {
    const existing = this.of(senderBatchId)[0];
    if (existing) throw new Refused('USER_BUSINESS_ERROR', existing.id);
    if (this.tempers.get(senderBatchId)?.isRefused) throw new Refused('INSUFFICIENT_FUNDS');
    const id = this.world.nextId('BATCH-');
    const batch: BookedBatch = {
      id,
      senderBatchId,
      status: 'PENDING',
      items: items.map(({ senderItemId, amount }) => ({
        id: this.world.nextId('ITEM-'),
        batchId: id,
        status: undefined,
        senderItemId,
        amount,
        fee: undefined,
        transactionId: undefined,
        errorCode: undefined,
        processTime: undefined,
      })),
    };
    this.batches.set(id, batch);
    this.keep(batch, `batch ${id} is created`);
    this.world.clock.after(this.world.draws.spread('batch taken', 100, 60_000), () => this.process(batch));
    return headOf(batch);
  }

  cancel(itemId: string): PayoutItem {
    const { batch, item } = this.findItem(itemId);
    if (item.status === 'RETURNED') throw new Refused('ITEM_ALREADY_CANCELLED');
    if (item.status !== 'UNCLAIMED') throw new Refused('ITEM_INCORRECT_STATUS');
    this.move(batch, itemId, 'RETURNED');
    return this.findItem(itemId).item;
  }

  of(senderBatchId: string): BookedBatch[] {
    return [...this.batches.values()].filter((batch) => batch.senderBatchId === senderBatchId);
  }

  itemAt(itemId: string, asOf: number): PayoutItem | undefined {
    for (const { items } of this.shown.allAt(asOf)) {
      const item = items.find(({ id }) => id === itemId);
      if (item) return item;
    }
    return undefined;
  }

  private process(batch: BookedBatch): void {
    const { clock, draws } = this.world;
    batch.status = 'PROCESSING';
    this.keep(batch, `batch ${batch.id} is gone through`);
    clock.after(draws.spread('batch gone through', 100, 600_000), () => {
      batch.status = this.tempers.get(batch.senderBatchId)?.end ?? 'SUCCESS';
      for (const { id } of batch.items) {
        if (batch.status === 'SUCCESS') this.pay(batch, id);
        else this.move(batch, id, 'FAILED');
      }
      this.keep(batch, `batch ${batch.id} is ${batch.status}`);
      this.onEvent(batch, { kind: 'payout', id: batch.id, state: batch.status });
    });
  }

  private pay(batch: BookedBatch, itemId: string): void {
    const { clock, draws } = this.world;
    const fate = draws.pick('item', [
      'SUCCESS',
      'SUCCESS',
      'FAILED',
      'UNCLAIMED',
      'PENDING',
      'BLOCKED',
    ] as const);
    this.move(batch, itemId, fate);
    if (fate === 'PENDING') {
      clock.after(draws.spread('item pending', 100, dayMs), () => this.move(batch, itemId, 'SUCCESS'));
    }
    if (fate !== 'UNCLAIMED') return;
    const isClaimed = draws.chance('claimed', 0.5);
    const after = isClaimed ? draws.spread('claimed after', 100, dayMs) : unclaimedMs;
    clock.after(after, () => {
      if (this.findItem(itemId).item.status === 'UNCLAIMED')
        this.move(batch, itemId, isClaimed ? 'SUCCESS' : 'RETURNED');
    });
  }

  private move(batch: BookedBatch, itemId: string, status: string): void {
    batch.items = batch.items.map((item) => (item.id === itemId ? { ...item, status } : item));
    this.keep(batch, `${itemId} is ${status}`);
    this.onEvent(batch, { kind: 'payout_item', id: itemId, state: status });
  }

  private findItem(itemId: string): { readonly batch: BookedBatch; readonly item: PayoutItem } {
    for (const batch of this.batches.values()) {
      const item = batch.items.find(({ id }) => id === itemId);
      if (item) return { batch, item };
    }
    throw new Refused('RESOURCE_NOT_FOUND');
  }

  private keep(batch: BookedBatch, words: string): void {
    this.world.tell(() => `provider: ${words}`);
    this.shown.keep(batch.id, this.world.clock.now, { batch: headOf(batch), items: batch.items });
  }
}

function headOf({ id, status, senderBatchId }: BookedBatch): PayoutBatch {
  return {
    id,
    status,
    senderBatchId,
    amount: undefined,
    fees: undefined,
    createTime: undefined,
    completeTime: undefined,
  };
}
