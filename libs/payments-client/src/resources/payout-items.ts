import type { Caller } from '../transport/caller.js';
import type { CallOptions, KeyedCallOptions } from '../client-options.js';
import { cancelPayoutItem, getPayoutItem } from '../operations/payouts.js';
import type { PayoutItem } from '../schemas/payout-item.js';

export class PayoutItems {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** @throws NotFoundError (perhaps not yet there), UnavailableError, … */
  get(id: string, options: CallOptions = {}): Promise<PayoutItem> {
    return this.#caller.perform(getPayoutItem, { ...options, id });
  }

  /**
   * Cancels an unclaimed item, which becomes RETURNED. The provider ignores the request id here, so it is sent again
   * only if it provably was not carried out; look at the item.
   * @throws RejectedError (`ITEM_INCORRECT_STATUS`: not UNCLAIMED; `ITEM_ALREADY_CANCELLED`), …: nothing changed;
   *   UnknownOutcomeError: perhaps returned
   */
  cancel(id: string, options: KeyedCallOptions): Promise<PayoutItem> {
    return this.#caller.perform(cancelPayoutItem, { ...options, id, body: {} });
  }
}
