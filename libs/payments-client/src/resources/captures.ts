import type { CallOptions } from '../client-options.js';
import type { Caller } from '../caller.js';
import { getCapture } from '../operations.js';
import type { Capture } from '../schemas/capture.js';

export class Captures {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** @throws NotFoundError (perhaps not yet there), UnavailableError, … */
  get(id: string, { signal }: CallOptions = {}): Promise<Capture> {
    return this.#caller.perform(getCapture, { id, signal });
  }
}
