import type { PaymentsClient } from '../../../libs/payments-client/src/index.js';
import type { Exchange } from './exchange.js';
import type { PayoutBooks, ShownBatch } from './payout-books.js';

type Faces = Pick<PaymentsClient, 'payouts' | 'payoutItems'>;
type Looking = { readonly signal?: AbortSignal };

/** What the client of the payments service offers of payouts. */
export function payoutFaces(books: PayoutBooks, exchange: Exchange): Faces {
  const page = ({ batch, items }: ShownBatch) => ({ batch, items, nextPage: undefined });
  const payouts: Partial<Faces['payouts']> = {
    create: (request, { requestId }) =>
      exchange.post({ operation: 'payout.create', requestId, isKeyed: true }, () => books.create(request)),
    get: (id, { signal }: Looking = {}) =>
      exchange.read('payout.get', signal, (asOf) => books.shown.at(id, asOf)?.batch),
    getPage: async (id, _search, { signal }: Looking = {}) =>
      page(
        await exchange.read(
          'payout.get',
          signal,
          (asOf) => books.shown.at(id, asOf),
          (whole) => ({ ...whole, items: whole.items.slice(0, -1) }),
        ),
      ),
  };
  const payoutItems: Partial<Faces['payoutItems']> = {
    get: (id, { signal }: Looking = {}) =>
      exchange.read('payout-item.get', signal, (asOf) => books.itemAt(id, asOf)),
    cancel: (id, { requestId }) =>
      exchange.post({ operation: 'payout-item.cancel', requestId, isKeyed: false }, () => books.cancel(id)),
  };
  return { payouts, payoutItems } as unknown as Faces;
}
