import type { PaymentsClient } from '#payments-client';
import type { Exchange } from './exchange.js';
import type { PayoutBooks, ShownBatch } from './payout-books.js';

type Faces = Pick<PaymentsClient, 'payouts' | 'payoutItems'>;
type Looking = { readonly signal?: AbortSignal };

/** What the client of the payments service offers of payouts. */
export function payoutFaces(books: PayoutBooks, exchange: Exchange): Faces {
  const payouts: Partial<Faces['payouts']> = {
    create: (request, { requestId }) =>
      exchange.post({ operation: 'payout.create', requestId, isKeyed: true }, () => books.create(request)),
    get: (id, looking?: Looking) =>
      exchange.read('payout.get', looking?.signal, (asOf) => books.shown.at(id, asOf)?.batch),
    getPage: async (id, _search, looking?: Looking) =>
      page(
        await exchange.read(
          'payout.get',
          looking?.signal,
          (asOf) => books.shown.at(id, asOf),
          (whole) => ({ ...whole, items: whole.items.slice(0, -1) }),
        ),
      ),
  };
  const payoutItems: Partial<Faces['payoutItems']> = {
    get: (id, looking?: Looking) =>
      exchange.read(
        'payout-item.get',
        looking?.signal,
        (asOf) => books.itemAt(id, asOf),
        (item) => ({ ...item, status: undefined, senderItemId: undefined, amount: undefined }),
      ),
    cancel: (id, { requestId }) =>
      exchange.post({ operation: 'payout-item.cancel', requestId, isKeyed: false }, () => books.cancel(id)),
  };
  return { payouts, payoutItems } as unknown as Faces;
}

/** All of a batch fits on one. */
function page({ batch, items }: ShownBatch) {
  return { batch, items, nextPage: undefined };
}
