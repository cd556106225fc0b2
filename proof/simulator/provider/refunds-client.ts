import type { PaymentsClient } from '#payments-client';
import { parseMoney } from '#workflows/lifecycle';
import type { AgreementBooks } from './agreement-books.js';
import type { Exchange } from './exchange.js';
import type { Collected } from './booked-payment.js';
import type { PaymentBooks } from './payment-books.js';
import type { RefundBooks } from './refund-books.js';

type Faces = Pick<PaymentsClient, 'captures' | 'sales' | 'refunds'>;
interface Books {
  readonly payments: PaymentBooks;
  readonly refunds: RefundBooks;
  readonly agreements: AgreementBooks;
}

type Looking = { readonly signal?: AbortSignal };

/** What the client of the payments service offers of refunds, and of what they give back from. */
export function refundFaces({ payments, refunds: books, agreements }: Books, exchange: Exchange): Faces {
  const refund =
    (operation: string): Faces['captures']['refund'] =>
    (id, { amount, invoiceNumber }, { requestId }) =>
      exchange.post({ operation, requestId, isKeyed: true }, () => {
        if (typeof amount !== 'object') throw new Error('the engine names an amount');
        return books.refund(id, parseMoney(amount.value, amount.currency).minor, invoiceNumber);
      });
  const get =
    (operation: string) =>
    (id: string, { signal }: Looking = {}) =>
      exchange.read(
        operation,
        signal,
        (asOf) => collectedAt(payments, id, asOf) ?? agreements.saleAt(id),
        withoutDetails,
      );
  const faces = {
    captures: { get: get('capture.get'), refund: refund('capture.refund') },
    sales: { get: get('sale.get'), refund: refund('sale.refund') },
    refunds: {
      get: (id: string, { signal }: Looking = {}) =>
        exchange.read(
          'refund.get',
          signal,
          (asOf) => books.at(id, asOf),
          (refund) => ({ ...refund, invoiceNumber: undefined, captureId: undefined, saleId: undefined }),
        ),
    },
  };
  return faces as unknown as Faces;
}

/** What an answer may lack, and the client takes all the same. */
function withoutDetails<T extends object>(collected: T): T {
  const none = { isFinalCapture: undefined, invoiceNumber: undefined, reasonCode: undefined };
  return { ...collected, ...none, updateTime: undefined };
}

function collectedAt(books: PaymentBooks, collectedId: string, asOf: number): Collected | undefined {
  for (const payment of books.shown.allAt(asOf)) {
    const [transaction] = payment.transactions;
    const all = [...(transaction?.captures ?? []), ...(transaction?.sales ?? [])];
    const found = all.find(({ id }) => id === collectedId);
    if (found) return found as Collected;
  }
  return undefined;
}
