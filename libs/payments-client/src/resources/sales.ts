import type { CallOptions } from '../client-options.js';
import type { Caller } from '../caller.js';
import { getSale } from '../operations.js';
import type { Sale } from '../schemas/sale.js';

export class Sales {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** @throws NotFoundError (perhaps not yet there), UnavailableError, … */
  get(id: string, { signal }: CallOptions = {}): Promise<Sale> {
    return this.#caller.perform(getSale, { id, signal });
  }
}
