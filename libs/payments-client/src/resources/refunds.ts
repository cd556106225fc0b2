import type { CallOptions } from '../client-options.js';
import type { Caller } from '../transport/caller.js';
import { getRefund } from '../operations/payments.js';
import type { Refund } from '../schemas/refund.js';

export class Refunds {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Any refund, also one made elsewhere. @throws NotFoundError (perhaps not yet there), UnavailableError, … */
  get(id: string, options: CallOptions = {}): Promise<Refund> {
    return this.#caller.perform(getRefund, { ...options, id });
  }
}
