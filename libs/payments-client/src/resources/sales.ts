import type { CallOptions, KeyedCallOptions } from '../client-options.js';
import type { Caller } from '../transport/caller.js';
import { getSale, refundSale } from '../operations/payments.js';
import { toWire } from '../transport/outgoing.js';
import type { Refund } from '../schemas/refund.js';
import { type RefundRequest, refundRequest } from '../schemas/refund-request.js';
import type { Sale } from '../schemas/sale.js';

export class Sales {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** @throws NotFoundError (perhaps not yet there), UnavailableError, … */
  get(id: string, options: CallOptions = {}): Promise<Sale> {
    return this.#caller.perform(getSale, { ...options, id });
  }

  /**
   * Refunds a sale, also one of a subscription's cycle. Otherwise like the refund of a capture.
   * @throws as `Captures.refund`
   */
  async refund(id: string, request: RefundRequest, options: KeyedCallOptions): Promise<Refund> {
    const body = toWire(refundRequest, request, { operation: refundSale.name });
    return this.#caller.perform(refundSale, { ...options, id, body });
  }
}
