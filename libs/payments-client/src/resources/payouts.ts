import type { Caller } from '../transport/caller.js';
import type { CallOptions, KeyedCallOptions } from '../client-options.js';
import { createPayout, getPayoutBatch, getPayoutPage } from '../operations/payouts.js';
import { queryOf, toWire } from '../transport/outgoing.js';
import type { PayoutBatch } from '../schemas/payout-batch.js';
import type { PayoutItem } from '../schemas/payout-item.js';
import {
  type CreatePayoutRequest,
  createPayoutRequest,
  type PayoutPageSearch,
  payoutPageSearch,
} from '../schemas/payout-request.js';

/** A batch and one page of its items, in the order of the request. */
export interface PayoutPage {
  readonly batch: PayoutBatch;
  readonly items: readonly PayoutItem[];
  /** `page` of the next search; undefined on the last page. */
  readonly nextPage: number | undefined;
}

export class Payouts {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * Creates a batch of payments. The request id is declared here: a lost reply is asked for again with the same id.
   * Under another one, the provider still refuses a `senderBatchId` of the last 30 days, and names the batch that has
   * it (`RejectedError.existingId`); no other search finds a batch by our own reference.
   * @throws RejectedError (`USER_BUSINESS_ERROR`, …), …: not created by this call; UnknownOutcomeError: perhaps created,
   *   as `evidence.resourceId` where the provider has named it
   */
  async create(request: CreatePayoutRequest, options: KeyedCallOptions): Promise<PayoutBatch> {
    const body = toWire(createPayoutRequest, request, { operation: createPayout.name });
    return this.#caller.perform(createPayout, { ...options, body });
  }

  /** The batch without its items. @throws NotFoundError (perhaps not yet there), UnavailableError, … */
  get(id: string, options: CallOptions = {}): Promise<PayoutBatch> {
    const query = queryOf({ fields: 'batch_header', page_size: 1 });
    return this.#caller.perform(getPayoutBatch, { ...options, id, query });
  }

  /** The batch with one page of its items. @throws NotFoundError (perhaps not yet there), RejectedError, … */
  async getPage(id: string, search: PayoutPageSearch = {}, options: CallOptions = {}): Promise<PayoutPage> {
    const wire = toWire(payoutPageSearch, search, { operation: getPayoutPage.name });
    const query = queryOf({ ...wire, total_required: true });
    const { batch, items, totalItems, hasNextLink } = await this.#caller.perform(getPayoutPage, {
      ...options,
      id,
      query,
    });
    // Without links the count shows whether another page follows; without a count, a full page does.
    const isFollowed =
      hasNextLink || wire.page * wire.page_size < (totalItems ?? 0) || items.length >= wire.page_size;
    // An empty page always ends the list, so that paging terminates.
    return { batch, items, nextPage: isFollowed && items.length > 0 ? wire.page + 1 : undefined };
  }

  /**
   * All pages; each is requested when the previous one was consumed. Items may change between pages.
   * @throws as `getPage`
   */
  async *pages(
    id: string,
    { pageSize }: Pick<PayoutPageSearch, 'pageSize'> = {},
    options: CallOptions = {},
  ): AsyncGenerator<PayoutPage, void> {
    let next: number | undefined = 1;
    while (next !== undefined) {
      const page: PayoutPage = await this.getPage(id, { page: next, pageSize }, options);
      yield page;
      next = page.nextPage;
    }
  }
}
