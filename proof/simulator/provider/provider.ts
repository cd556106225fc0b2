import type { PaymentsClient } from '#payments-client';
import type { World } from '../core/world.js';
import { AgreementBooks } from './agreement-books.js';
import { agreementFaces } from './agreements-client.js';
import type { Arrival, Exchange } from './exchange.js';
import type { PaymentTemper } from './booked-payment.js';
import { Health } from './health.js';
import { PaymentBooks } from './payment-books.js';
import { PayoutBooks } from './payout-books.js';
import { payoutFaces } from './payouts-client.js';
import { RefundBooks } from './refund-books.js';
import { refundFaces } from './refunds-client.js';
import { paymentFaces } from './payments-client.js';

/** The provider: its books, and what it shows of them. */
export class Provider {
  readonly answers = new Map<string, () => unknown>();
  /** Keys under which a failure is kept, with its debug id. */
  readonly poisoned = new Map<string, string>();
  /** By request id. */
  readonly arrivals = new Map<string, Arrival>();
  readonly health: Health;
  readonly payments: PaymentBooks;
  readonly refunds: RefundBooks;
  readonly payouts: PayoutBooks;
  readonly agreements: AgreementBooks;
  /** By our id of the payment. */
  readonly tempers = new Map<string, PaymentTemper>();

  constructor(private readonly world: World) {
    this.health = new Health(world);
    this.payments = new PaymentBooks(world, (custom) => {
      const temper = this.tempers.get(custom);
      if (!temper) throw new Error(`nobody ordered ${custom}`);
      return temper;
    });
    this.refunds = new RefundBooks(world, this.payments);
    this.payouts = new PayoutBooks(world);
    this.agreements = new AgreementBooks(world);
  }

  clientFor(exchange: Exchange): PaymentsClient {
    return {
      ...paymentFaces(this.payments, exchange, this.world.draws),
      ...refundFaces(this, exchange),
      ...payoutFaces(this.payouts, exchange),
      ...agreementFaces(this.agreements, exchange, (...at) => this.refunds.chargebackAt(...at)),
      clockOffsets: { least: 0, most: 0 },
    } as PaymentsClient;
  }

  /** What is there of a kind, by its ids. */
  idsOf(kind: string): string[] {
    const booked = [...this.payments.payments.values()];
    const sales = [...this.agreements.agreements.values()].flatMap((agreement) => agreement.sales);
    const parts: Readonly<Record<string, readonly { readonly id: string }[]>> = {
      payment: booked,
      authorization: booked.flatMap(({ holds }) => holds),
      capture: booked.flatMap(({ captures }) => captures),
      sale: [...booked.flatMap(({ sale }) => sale ?? []), ...sales],
      refund: booked.flatMap(({ refunds }) => refunds),
      payout: [...this.payouts.batches.values()],
      payout_item: [...this.payouts.batches.values()].flatMap(({ items }) => items),
      agreement: [...this.agreements.agreements.values()],
    };
    return (parts[kind] ?? []).map(({ id }) => id);
  }

  /** The provider's id of the payment or batch that a resource belongs to: its events name it as well. */
  parentOf(resourceId: string): string | undefined {
    for (const { id, holds, captures, sale, refunds } of this.payments.payments.values()) {
      if (id === resourceId || sale?.id === resourceId) return id;
      if ([...holds, ...captures, ...refunds].some((part) => part.id === resourceId)) return id;
    }
    const billed = [...this.agreements.agreements.values()];
    const agreement = billed.find(({ sales }) => sales.some(({ id }) => id === resourceId));
    if (agreement) return agreement.id;
    const batches = [...this.payouts.batches.values()];
    return batches.find(({ items }) => items.some(({ id }) => id === resourceId))?.id;
  }
}
