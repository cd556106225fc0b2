import { randomUUID } from 'node:crypto';
import type { Engine } from '../helpers/engine.js';
import { until } from '../helpers/until.js';

export interface ShownPayout {
  readonly id: string;
  readonly state: string;
  readonly version: number;
  readonly itemCount: number;
  readonly amount: { readonly value: string; readonly currency: string };
  readonly totals: Readonly<Record<string, { readonly count: number; readonly amount: { value: string } }>>;
  readonly providerBatchId: string | null;
  readonly reason: string | null;
  readonly contradiction: string | null;
}

export interface ShownItem {
  readonly itemId: string;
  readonly receiver: { readonly type: string; readonly masked: string };
  readonly state: string;
  readonly providerItemId: string | null;
  readonly errorCode: string | null;
}

export interface Reply<T> {
  readonly status: number;
  readonly body: T;
}

export interface PayoutMovement {
  readonly kind: string;
  readonly amountMinor: number;
  readonly custom: string | null;
  readonly invoiceNumber: string | null;
}

/** An item of which the sandbox decides by the tag in its receiver's address. */
export function item(itemId: string, tag = 'success', value = '7.50', currency = 'USD') {
  return {
    itemId,
    receiver: { type: 'EMAIL', value: `${itemId}+${tag}@receivers.example` },
    amount: { value, currency },
  };
}

/** Somebody who pays out, over nothing but HTTP, and what the provider's books say of it. */
export class PayoutService {
  constructor(
    private readonly engine: Engine,
    private readonly apiKey?: string,
  ) {}

  async order<T = ShownPayout>(
    items: readonly unknown[],
    { key = randomUUID(), ...rest }: { readonly key?: string } & Record<string, unknown> = {},
  ): Promise<Reply<T>> {
    return await this.call<T>('POST', '/v1/payouts', { items, ...rest }, key);
  }

  async get(id: string): Promise<ShownPayout> {
    return (await this.call<ShownPayout>('GET', `/v1/payouts/${id}`)).body;
  }

  async items(id: string, query = ''): Promise<readonly ShownItem[]> {
    return (await this.call<{ data: ShownItem[] }>('GET', `/v1/payouts/${id}/items${query}`)).body.data;
  }

  async cancel<T = { state: string; item: ShownItem }>(
    id: string,
    itemId: string,
    key: string = randomUUID(),
  ): Promise<Reply<T>> {
    return await this.call<T>('POST', `/v1/payouts/${id}/items/${itemId}/cancel`, {}, key);
  }

  async decide(id: string, decision: Record<string, unknown>): Promise<Reply<{ payout: ShownPayout }>> {
    return await this.call('POST', `/v1/payouts/${id}/review/decision`, decision, randomUUID());
  }

  async reaches(id: string, ...states: string[]): Promise<ShownPayout> {
    return await until(
      () => this.get(id),
      ({ state }) => states.includes(state),
      `payout ${id} to be ${states.join(' or ')}`,
    );
  }

  /** The items tell it; the payout's own state and timeline follow when its run has taken the read. */
  async totalReaches(id: string, status: string, count: number): Promise<ShownPayout> {
    return await until(
      () => this.get(id),
      ({ totals }) => totals[status]?.count === count,
      `payout ${id} to report ${count} ${status}`,
    );
  }

  async itemReaches(id: string, itemId: string, status: string): Promise<void> {
    await until(
      () => this.items(id),
      (items) => items.some((shown) => shown.itemId === itemId && shown.state === status),
      `item ${itemId} to be ${status}`,
    );
  }

  /** Every movement of a payout in the provider's books, by its `sender_batch_id`. */
  async movementsOf(id: string): Promise<PayoutMovement[]> {
    const found: PayoutMovement[] = [];
    const { url, clientId } = this.engine.sandbox;
    for (let after = '0'; ;) {
      const response = await fetch(
        `${url}/admin/books/movements?clientId=${clientId}&limit=1000&after=${after}`,
      );
      const { movements } = (await response.json()) as { movements: (PayoutMovement & { id: string })[] };
      found.push(...movements.filter(({ invoiceNumber }) => invoiceNumber === id));
      const last = movements.at(-1);
      if (!last) return found;
      after = last.id;
    }
  }

  /** `['payout a 750', 'payout_return b 750']`, sorted. */
  async booksOf(id: string): Promise<string[]> {
    const movements = await this.movementsOf(id);
    return movements.map(({ kind, custom, amountMinor }) => `${kind} ${custom} ${amountMinor}`).toSorted();
  }

  /** What somebody else does to an item: claim, release, complete, deny, return, block, refund, reverse. */
  async change(providerItemId: string, what: string): Promise<void> {
    const response = await fetch(`${this.engine.sandbox.url}/admin/payouts-item/${providerItemId}/${what}`, {
      method: 'POST',
    });
    if (!response.ok) throw new Error(`${what}: ${response.status} ${await response.text()}`);
  }

  private async call<T>(method: string, path: string, body?: unknown, key?: string): Promise<Reply<T>> {
    const response = await fetch(this.engine.apiUrl + path, {
      method,
      headers: {
        authorization: `Bearer ${this.apiKey ?? this.engine.apiKey}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as T };
  }
}
