import type { EventPage, FoundEvent, PaymentsClient } from '#payments-client';
import type { AgreementBooks } from './agreement-books.js';
import type { Price } from './booked-agreement.js';
import type { Exchange } from './exchange.js';

type Looking = { readonly signal?: AbortSignal };
type Keyed = { readonly requestId: string };
type NewAgreement = { readonly planId: string; readonly merchantPreferences: { readonly returnUrl: string } };

/**
 * What the client of the payments service offers of plans and agreements, and of events: by these agreements and
 * chargebacks are found.
 */
export function agreementFaces(
  books: AgreementBooks,
  exchange: Exchange,
  chargebackAt: Parameters<typeof eventOf>[1],
) {
  const send = <T>(operation: string, requestId: string, carryOut: () => T) =>
    exchange.post({ operation, requestId, isKeyed: false }, carryOut);
  const change =
    (operation: string, to: string, from: readonly string[], code: string) =>
    (id: string, _note: unknown, { requestId }: Keyed) =>
      send(operation, requestId, () => books.change(id, to, from, code));
  const agreements = {
    create: ({ planId, merchantPreferences }: NewAgreement, { requestId }: Keyed) =>
      send('agreement.create', requestId, () => books.prepare(planId, merchantPreferences.returnUrl)),
    execute: (token: string, { requestId }: Keyed) =>
      send('agreement.execute', requestId, () => books.execute(token)),
    get: (id: string, { signal }: Looking = {}) =>
      exchange.read(
        'agreement.get',
        signal,
        (asOf) => books.shown.at(id, asOf)?.agreement,
        (agreement) => ({ ...agreement, details: blankDetails, updateTime: undefined }),
      ),
    transactions: (id: string, _range: unknown, { signal }: Looking = {}) =>
      exchange.read(
        'agreement.transactions',
        signal,
        (asOf) => books.shown.at(id, asOf)?.transactions,
        (whole) => whole.slice(0, -1),
      ),
    suspend: change('agreement.suspend', 'Suspended', ['Active'], 'INVALID_STATUS_TO_SUSPEND'),
    reactivate: change('agreement.re-activate', 'Active', ['Suspended'], 'INVALID_STATUS_TO_REACTIVATE'),
    cancel: change('agreement.cancel', 'Cancelled', ['Active', 'Suspended'], 'RP_INVALID_STATUS_TO_CANCEL'),
    billBalance: (id: string, { amount }: { readonly amount: Price }, { requestId }: Keyed) =>
      send('agreement.bill-balance', requestId, () => books.billBalance(id, amount, requestId)),
    setBalance: (id: string, { balance }: { readonly balance: Price }, { requestId }: Keyed) =>
      send('agreement.set-balance', requestId, () => books.setBalance(id, balance, requestId)),
  };
  async function* search(_search: unknown, { signal }: Looking = {}): AsyncGenerator<EventPage, void> {
    const all = await exchange.read(
      'event.list',
      signal,
      (asOf) => books.shown.allAt(asOf),
      (whole) => whole.slice(1),
    );
    const events = all.map(({ agreement: { id, returnUrl } }) => ({
      event: {
        resourceIds: { agreementId: id },
        resource: { plan: { merchant_preferences: { return_url: returnUrl } } },
      },
      body: {},
    }));
    yield { events: events as unknown as EventPage['events'], unreadable: 0, nextQuery: undefined };
  }
  const plans = planFaces(books, exchange, send);
  return { plans, agreements, events: { search, get: eventOf(exchange, chargebackAt) } } as unknown as Pick<
    PaymentsClient,
    'plans' | 'agreements' | 'events'
  >;
}

function eventOf(
  exchange: Exchange,
  chargebackAt: (eventId: string, asOf: number) => FoundEvent | undefined,
) {
  return (id: string, { signal }: Looking = {}) =>
    exchange.read('event.get', signal, (asOf) => chargebackAt(id, asOf));
}

type Send = <T>(operation: string, requestId: string, carryOut: () => T) => Promise<T>;

function planFaces(books: AgreementBooks, exchange: Exchange, send: Send): Partial<PaymentsClient['plans']> {
  return {
    create: (request, { requestId }) => send('plan.create', requestId, () => books.createPlan(request)),
    get: (id, looking?: Looking) =>
      exchange.read(
        'plan.get',
        looking?.signal,
        (asOf) => books.plans.at(id, asOf),
        (plan) => ({ ...plan, state: undefined, merchantPreferences: undefined }),
      ),
    list: async (_search, looking?: Looking) => {
      const list = await exchange.read(
        'plan.list',
        looking?.signal,
        (asOf) => books.plans.allAt(asOf),
        (whole) => whole.slice(1),
      );
      return { plans: list, nextPage: undefined, isWhole: true };
    },
    // It has no key.
    update: (id, { state }) => send('plan.update', '', () => books.changePlan(id, state)),
  };
}

/** All of it may be missing. */
const blankDetails = {
  outstandingBalance: undefined,
  cyclesRemaining: undefined,
  cyclesCompleted: undefined,
  nextBillingDate: undefined,
  lastPaymentDate: undefined,
  lastPaymentAmount: undefined,
  finalPaymentDate: undefined,
  failedPaymentCount: undefined,
} as const;
