import type { Payment, PaymentsClient } from '#payments-client';
import { parseMoney } from '#workflows/lifecycle';
import type { Draws } from '../core/draws.js';
import { type Exchange, Refused } from './exchange.js';
import type { PaymentBooks } from './payment-books.js';

type Faces = Pick<PaymentsClient, 'payments' | 'authorizations'>;
type Keyed = { readonly requestId: string };
type Looking = { readonly signal?: AbortSignal };

/** What the client of the payments service offers of payments, spoken to the provider's books. */
export function paymentFaces(books: PaymentBooks, exchange: Exchange, draws: Draws): Partial<Faces> {
  const shorten = (payment: Payment) => cutShort(payment, draws);
  const payments: Pick<Faces['payments'], 'create' | 'get' | 'list' | 'execute'> = {
    create: (request, { requestId }: Keyed) =>
      exchange.post({ operation: 'payment.create', requestId, isKeyed: false }, () => {
        const [transaction] = request.transactions;
        if (!transaction) throw new Refused('VALIDATION_ERROR');
        const { value, currency } = transaction.amount;
        return books.create({
          custom: transaction.custom ?? '',
          invoiceNumber: transaction.invoiceNumber ?? '',
          intent: request.intent,
          minor: parseMoney(value, currency).minor,
          currency,
        });
      }),
    get: (id, looking?: Looking) =>
      exchange.read('payment.get', looking?.signal, (asOf) => books.shown.at(id, asOf), shorten),
    list: async (_search, looking?: Looking) =>
      await exchange.read(
        'payment.list',
        looking?.signal,
        (asOf) => ({ payments: books.shown.allAt(asOf), nextId: undefined }),
        ({ payments: all }) => ({ payments: all.map(shorten), nextId: undefined }),
      ),
    execute: (id, { payerId }, { requestId }: Keyed) =>
      exchange.post({ operation: 'payment.execute', requestId, isKeyed: true }, () =>
        books.execute(id, payerId),
      ),
  };
  const authorizations: Pick<Faces['authorizations'], 'get' | 'capture' | 'void' | 'reauthorize'> = {
    get: (id, looking?: Looking) =>
      exchange.read(
        'authorization.get',
        looking?.signal,
        (asOf) => holdAt(books, id, asOf),
        (hold) => ({ ...hold, validUntil: undefined, updateTime: undefined }),
      ),
    capture: (id, request, { requestId }: Keyed) =>
      exchange.post({ operation: 'authorization.capture', requestId, isKeyed: false }, () => {
        const { value, currency } = request.amount;
        const { minor } = parseMoney(value, currency);
        return books.capture(
          id,
          minor,
          request.isFinalCapture ?? false,
          request.invoiceNumber ?? '',
        ) as never;
      }),
    void: (id, { requestId }: Keyed) =>
      exchange.post({ operation: 'authorization.void', requestId, isKeyed: true }, () => books.void(id)),
    reauthorize: (id, { amount: { value, currency } }, { requestId }: Keyed) =>
      exchange.post({ operation: 'authorization.reauthorize', requestId, isKeyed: false }, () =>
        books.reauthorize(id, parseMoney(value, currency).minor),
      ),
  };
  return { payments, authorizations } as unknown as Partial<Faces>;
}

function holdAt(books: PaymentBooks, holdId: string, asOf: number) {
  const { payment } = books.findHold(holdId);
  return books.shown.at(payment.id, asOf)?.transactions[0]?.authorizations.find(({ id }) => id === holdId);
}

/** An incomplete answer that can still be parsed. */
function cutShort(payment: Payment, draws: Draws): Payment {
  const [transaction] = payment.transactions;
  if (!transaction) return payment;
  // Most decisions depend on captures.
  switch (draws.pick('how short', [0, 1, 1, 2, 3, 4])) {
    case 0:
      return { ...payment, transactions: [] };
    case 1:
      return { ...payment, transactions: [{ ...transaction, captures: transaction.captures.slice(0, -1) }] };
    case 2:
      return { ...payment, transactions: [{ ...transaction, captures: [], authorizations: [], sales: [] }] };
    case 3:
      return { ...payment, transactions: [{ ...transaction, refunds: transaction.refunds.slice(0, -1) }] };
    default:
      return { ...payment, payerId: undefined, approvalUrl: undefined };
  }
}
