import type { FoundEvent, Refund } from '#payments-client';
import { formatMoney } from '#workflows/lifecycle';
import type { World } from '../core/world.js';
import { Refused } from './exchange.js';
import type { BookedEvent, BookedPayment, BookedRefund, Collected } from './booked-payment.js';
import type { PaymentBooks } from './payment-books.js';

/** Refunds and chargebacks of the captures and sales in the payment books. */
export class RefundBooks {
  private readonly chargebacks = new Map<string, { readonly event: BookedEvent; readonly at: number }>();

  constructor(
    private readonly world: World,
    private readonly payments: PaymentBooks,
  ) {}

  /** @param invoiceNumber of whoever makes it; absent for one that is made on the provider's own pages. */
  refund(collectedId: string, minor: number, invoiceNumber: string | undefined): Refund {
    const { clock, draws } = this.world;
    const { payment, collected } = this.find(collectedId);
    if (collected.state === 'pending' || collected.state === 'denied')
      throw new Refused('TRANSACTION_REFUSED');
    if (minor > collected.minor - givenBackOf(payment, collectedId)) {
      throw new Refused('REFUND_EXCEEDED_TRANSACTION_AMOUNT');
    }
    const fate = draws.pick('refund settles', ['completed', 'completed', 'pending', 'pending'] as const);
    const now = new Date(clock.now).toISOString();
    const isSale = payment.sale?.id === collectedId;
    const refund: BookedRefund = {
      id: this.world.nextId('REF-'),
      state: fate,
      amount: { value: formatMoney({ minor, currency: payment.currency }), currency: payment.currency },
      minor,
      collectedId,
      captureId: isSale ? undefined : collectedId,
      saleId: isSale ? collectedId : undefined,
      paymentId: payment.id,
      invoiceNumber,
      custom: undefined,
      createTime: now,
      updateTime: now,
    };
    payment.refunds = [...payment.refunds, refund];
    this.changed(payment, refund);
    if (fate === 'pending') {
      const end = draws.pick('refund ends', ['completed', 'completed', 'failed', 'cancelled'] as const);
      clock.after(draws.spread('refund settles', 500, 86_400_000), () =>
        this.settle(payment, refund.id, end),
      );
    }
    return refund;
  }

  /** The payer's bank takes money back: all that is left, or a part of it. */
  reverse(collectedId: string, isWhole: boolean): void {
    const { payment, collected } = this.find(collectedId);
    const left = collected.minor - givenBackOf(payment, collectedId);
    const minor = isWhole ? left : Math.floor(left / 2);
    if (minor <= 0 || collected.state === 'pending' || collected.state === 'denied') return;
    payment.reversals = [...payment.reversals, { collectedId, minor, at: this.world.clock.now }];
    const updateTime = new Date(this.world.clock.now).toISOString();
    const shown = { ...collected, reasonCode: 'CHARGEBACK', updateTime };
    this.show(payment, shown);
    this.payments.keep(payment, `${minor} of ${collectedId} is charged back`);
    const kind = payment.sale?.id === collectedId ? 'sale' : 'capture';
    const type = `PAYMENT.${kind.toUpperCase()}.REVERSED`;
    const { state } = this.find(collectedId).collected;
    const updatedAt = this.world.clock.now;
    const event = this.payments.tell(payment, type, kind, collectedId, state, { updatedAt });
    this.chargebacks.set(event.id, { event, at: updatedAt });
  }

  /** The event of a chargeback, if it was there at an instant. */
  chargebackAt(eventId: string, asOf: number): FoundEvent | undefined {
    const told = this.chargebacks.get(eventId);
    if (!told || told.at > asOf) return undefined;
    const { id, eventType, kind: resourceType, resourceId, state } = told.event;
    const resource = { id: resourceId, state };
    const resourceIds = { [`${resourceType}Id`]: resourceId };
    const event = {
      id,
      eventType,
      resourceType,
      createTime: undefined,
      summary: undefined,
      resource,
      resourceIds,
    };
    return { event, body: {} };
  }

  /** As it is shown at an instant. */
  at(refundId: string, asOf: number): Refund | undefined {
    for (const { id } of this.payments.payments.values()) {
      const refunds = this.payments.shown.at(id, asOf)?.transactions[0]?.refunds ?? [];
      const found = refunds.find((refund) => refund.id === refundId);
      if (found) return found;
    }
    return undefined;
  }

  private settle(payment: BookedPayment, refundId: string, state: BookedRefund['state']): void {
    const updateTime = new Date(this.world.clock.now).toISOString();
    payment.refunds = payment.refunds.map((refund) =>
      refund.id === refundId ? { ...refund, state, updateTime } : refund,
    );
    const refund = payment.refunds.find(({ id }) => id === refundId);
    if (refund) this.changed(payment, refund);
  }

  private changed(payment: BookedPayment, { id, state, collectedId, minor }: BookedRefund): void {
    this.show(payment, this.find(collectedId).collected);
    this.payments.keep(payment, `${id} (${minor} of ${collectedId}) is ${state}`);
    this.payments.tell(payment, 'PAYMENT.CAPTURE.REFUNDED', 'refund', id, state);
  }

  /** What collected it is called by how much of it went back. */
  private show(payment: BookedPayment, collected: Collected): void {
    const gone = [...payment.refunds.filter(({ state }) => state === 'completed'), ...payment.reversals];
    const back = gone
      .filter(({ collectedId }) => collectedId === collected.id)
      .reduce((sum, { minor }) => sum + minor, 0);
    const shown = { ...collected, state: stateAfter(back, collected.minor) };
    if (payment.sale?.id === collected.id) payment.sale = shown;
    payment.captures = payment.captures.map((capture) => (capture.id === collected.id ? shown : capture));
  }

  private find(collectedId: string): { readonly payment: BookedPayment; readonly collected: Collected } {
    for (const payment of this.payments.payments.values()) {
      const all = [...payment.captures, ...(payment.sale ? [payment.sale] : [])];
      const collected = all.find(({ id }) => id === collectedId);
      if (collected) return { payment, collected };
    }
    throw new Refused('RESOURCE_NOT_FOUND');
  }
}

function stateAfter(back: number, minor: number): string {
  if (back === 0) return 'completed';
  return back < minor ? 'partially_refunded' : 'refunded';
}

/** What is under way has left as well. */
function givenBackOf({ refunds, reversals }: BookedPayment, id: string): number {
  const gone = refunds.filter(({ state }) => state !== 'failed' && state !== 'cancelled');
  return [...gone, ...reversals]
    .filter(({ collectedId }) => collectedId === id)
    .reduce((sum, { minor }) => sum + minor, 0);
}
