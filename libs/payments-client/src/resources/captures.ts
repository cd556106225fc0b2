import type { CallOptions, KeyedCallOptions } from '../client-options.js';
import type { Caller } from '../transport/caller.js';
import { getCapture, refundCapture } from '../operations/payments.js';
import { toWire } from '../transport/outgoing.js';
import type { Capture } from '../schemas/capture.js';
import type { Refund } from '../schemas/refund.js';
import { type RefundRequest, refundRequest } from '../schemas/refund-request.js';

export class Captures {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** @throws NotFoundError (perhaps not yet there), UnavailableError, … */
  get(id: string, options: CallOptions = {}): Promise<Capture> {
    return this.#caller.perform(getCapture, { ...options, id });
  }

  /**
   * Gives collected funds back to the payer. The request id is declared here: a lost reply is asked for again with the
   * same id. A refund may stay pending; until its end it reserves its amount.
   * @throws RejectedError (`TRANSACTION_ALREADY_REFUNDED`, `REFUND_EXCEEDED_TRANSACTION_AMOUNT`, `TRANSACTION_REFUSED`,
   *   …), DeclinedError, ConflictError, …: not refunded; UnknownOutcomeError: perhaps refunded
   */
  async refund(id: string, request: RefundRequest, options: KeyedCallOptions): Promise<Refund> {
    const body = toWire(refundRequest, request, { operation: refundCapture.name });
    return this.#caller.perform(refundCapture, { ...options, id, body });
  }
}
