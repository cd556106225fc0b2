import type { PaymentsClient } from '../../../libs/payments-client/src/index.js';
import type { World } from '../core/world.js';
import type { Exchange } from './exchange.js';
import { PaymentBooks, type PaymentTemper } from './payment-books.js';
import { paymentFaces } from './payments-client.js';

/** The provider: its books, and what it shows of them. */
export class Provider {
  readonly answers = new Map<string, () => unknown>();
  readonly payments: PaymentBooks;
  /** By our id of the payment. */
  readonly tempers = new Map<string, PaymentTemper>();

  constructor(private readonly world: World) {
    this.payments = new PaymentBooks(world, (custom) => {
      const temper = this.tempers.get(custom);
      if (!temper) throw new Error(`nobody ordered ${custom}`);
      return temper;
    });
  }

  clientFor(exchange: Exchange): PaymentsClient {
    return paymentFaces(this.payments, exchange, this.world.draws) as PaymentsClient;
  }

  /** The provider's id of the payment that a resource belongs to. */
  paymentIdOf(resourceId: string): string | undefined {
    for (const { id, holds, captures, sale } of this.payments.payments.values()) {
      if (id === resourceId || sale?.id === resourceId) return id;
      if ([...holds, ...captures].some((part) => part.id === resourceId)) return id;
    }
    return undefined;
  }
}
