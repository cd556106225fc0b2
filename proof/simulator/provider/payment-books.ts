import type { Authorization, Payment } from '#payments-client';
import { formatMoney } from '#workflows/lifecycle';
import type { World } from '../core/world.js';
import {
  type BookedEvent,
  type BookedPayment,
  type Collected,
  type Hold,
  type PaymentTemper,
  amountOf,
  collectedOf,
  shownAs,
} from './booked-payment.js';
import { Refused } from './exchange.js';
import { type NewOrder, collectedMinor, newCapture, newHold, newPayment, newSale } from './new-bookings.js';
import { Snapshots } from './snapshots.js';

const dayMs = 86_400_000;
const windowMs = 29 * dayMs;

/** The provider's books of payments: the location of money, and the rules of its movements. */
export class PaymentBooks {
  readonly payments = new Map<string, BookedPayment>();
  readonly shown = new Snapshots<Payment>();
  onEvent: (event: BookedEvent) => void = () => undefined;

  constructor(
    private readonly world: World,
    private readonly temperOf: (custom: string) => PaymentTemper,
  ) {}

  create(order: NewOrder): Payment {
    const temper = this.temperOf(order.custom);
    const payment = newPayment(this.world.nextId('PAY-'), this.world.clock.now, order, temper);
    this.payments.set(payment.id, payment);
    if (temper.isApprovedAtOnce) this.collect(payment);
    return this.keep(payment, `payment ${payment.id} is created`);
  }

  approve(id: string): void {
    const payment = this.find(id);
    if (payment.payerId !== undefined) return;
    payment.payerId = 'PAYER1';
    this.keep(payment, 'the payer approves');
    const { payerId } = payment;
    this.tell(payment, 'PAYMENTS.PAYMENT.CREATED', 'payment', payment.id, 'created', { payerId });
  }

  execute(id: string, payerId: string): Payment {
    const payment = this.find(id);
    if (payment.payerId === undefined) throw new Refused('PAYMENT_NOT_APPROVED_FOR_EXECUTION');
    if (payment.isExecuted || payment.isFailed) throw new Refused('PAYMENT_STATE_INVALID');
    if (payment.payerId !== payerId) throw new Refused('INVALID_PAYER_ID');
    if (payment.temper.isDeclined) {
      payment.isFailed = true;
      this.keep(payment, 'the payment is declined');
      throw new Refused('INSTRUMENT_DECLINED');
    }
    this.collect(payment);
    return this.keep(payment, `payment ${id} is executed`);
  }

  capture(holdId: string, minor: number, isFinal: boolean, reference: string): Collected {
    const { payment, hold } = this.findHold(holdId);
    this.refuseClosed(hold, 'AUTHORIZATION_ALREADY_COMPLETED');
    if (minor > hold.minor - collectedOf(payment, holdId))
      throw new Refused('AUTHORIZATION_AMOUNT_LIMIT_EXCEEDED');
    const capture = newCapture(this.world.nextId('CAP-'), this.world.clock.now, payment, {
      holdId,
      minor,
      isFinal,
      reference,
    });
    payment.captures = [...payment.captures, capture];
    this.reckon(payment, holdId);
    this.keep(payment, `${capture.id} captures ${formatMoney({ minor, currency: payment.currency })}`);
    this.tell(
      payment,
      `PAYMENT.CAPTURE.${capture.state.toUpperCase()}`,
      'capture',
      capture.id,
      capture.state,
    );
    if (capture.state === 'pending') this.settleLater(payment, capture.id);
    return capture;
  }

  void(holdId: string): Authorization {
    const { payment, hold } = this.findHold(holdId);
    this.refuseClosed(hold, 'AUTHORIZATION_CANNOT_BE_VOIDED');
    this.change(payment, holdId, { state: 'voided', validUntil: undefined });
    this.keep(payment, `hold ${holdId} is voided`);
    this.tell(payment, 'PAYMENT.AUTHORIZATION.VOIDED', 'authorization', holdId, 'voided');
    return this.findHold(holdId).hold;
  }

  /** What was captured before stays a part of it: only an untouched hold is renewed in another amount. */
  reauthorize(holdId: string, minor: number): Authorization {
    const { payment, hold } = this.findHold(holdId);
    this.refuseClosed(hold, 'AUTHORIZATION_ALREADY_COMPLETED');
    if (this.world.clock.now < Date.parse(hold.createTime ?? '') + 3 * dayMs)
      throw new Refused('REAUTHORIZATION_TOO_SOON');
    const isTouched = collectedOf(payment, holdId) > 0;
    const renewal = isTouched ? {} : { minor, amount: amountOf(payment, minor) };
    if (!payment.temper.isHeldUnderAnotherId) {
      this.change(payment, holdId, renewal);
      this.keep(payment, `hold ${holdId} is reauthorized`);
      return this.findHold(holdId).hold;
    }
    if (isTouched) throw new Refused('TRANSACTION_REFUSED');
    this.change(payment, holdId, { state: 'voided', validUntil: undefined });
    const reauthorized = this.hold(payment, Date.parse(hold.validUntil ?? ''), minor);
    this.keep(payment, `hold ${holdId} is reauthorized as ${reauthorized.id}`);
    return reauthorized;
  }

  findHold(holdId: string): { readonly payment: BookedPayment; readonly hold: Hold } {
    for (const payment of this.payments.values()) {
      const hold = payment.holds.find(({ id }) => id === holdId);
      if (hold) return { payment, hold };
    }
    throw new Refused('RESOURCE_NOT_FOUND');
  }

  /** All that was made under our id of a payment. */
  of(custom: string): BookedPayment[] {
    return [...this.payments.values()].filter((payment) => payment.custom === custom);
  }

  private find(id: string): BookedPayment {
    const payment = this.payments.get(id);
    if (!payment) throw new Refused('RESOURCE_NOT_FOUND');
    return payment;
  }

  private collect(payment: BookedPayment): void {
    payment.isExecuted = true;
    if (payment.intent === 'authorize') this.hold(payment);
    else this.sell(payment);
  }

  private hold(
    payment: BookedPayment,
    validUntil = this.world.clock.now + windowMs,
    minor = collectedMinor(payment),
  ): Hold {
    const { clock } = this.world;
    const hold = newHold(this.world.nextId('AUTH-'), clock.now, payment, { validUntil, minor });
    payment.holds = [...payment.holds, hold];
    this.tell(payment, 'PAYMENT.AUTHORIZATION.CREATED', 'authorization', hold.id, hold.state ?? '');
    if (hold.state === 'pending') this.authorizeLater(payment, hold.id);
    clock.at(validUntil, () => {
      const { state } = this.findHold(hold.id).hold;
      if (state !== 'authorized' && state !== 'partially_captured') return;
      this.change(payment, hold.id, { state: 'expired' });
      this.keep(payment, `hold ${hold.id} expires`);
    });
    return hold;
  }

  private authorizeLater(payment: BookedPayment, holdId: string): void {
    const { clock, draws } = this.world;
    clock.after(draws.spread('authorizes', 500, 3 * dayMs), () => {
      const state = payment.temper.authorizes === 'later' ? 'authorized' : 'denied';
      this.change(payment, holdId, { state });
      this.keep(payment, `hold ${holdId} is ${state}`);
      const told = state === 'denied' ? 'DENIED' : 'CREATED';
      this.tell(payment, `PAYMENT.AUTHORIZATION.${told}`, 'authorization', holdId, state);
    });
  }

  private sell(payment: BookedPayment): void {
    const sale = newSale(this.world.nextId('SALE-'), this.world.clock.now, payment);
    payment.sale = sale;
    this.tell(payment, `PAYMENT.SALE.${sale.state.toUpperCase()}`, 'sale', sale.id, sale.state);
    if (sale.state === 'pending') this.settleLater(payment, sale.id);
  }

  private settleLater(payment: BookedPayment, id: string): void {
    const { clock, draws } = this.world;
    clock.after(draws.spread('settles', 500, 3 * dayMs), () => {
      const state = payment.temper.settles === 'is denied later' ? 'denied' : 'completed';
      const kind = payment.sale?.id === id ? 'sale' : 'capture';
      if (payment.sale?.id === id) payment.sale = { ...payment.sale, state };
      payment.captures = payment.captures.map((capture) =>
        capture.id === id ? { ...capture, state } : capture,
      );
      for (const { id: holdId } of payment.holds) this.reckon(payment, holdId);
      this.keep(payment, `${id} is ${state}`);
      this.tell(payment, `PAYMENT.${kind.toUpperCase()}.${state.toUpperCase()}`, kind, id, state);
    });
  }

  /** What a hold is called, by what was captured of it. */
  private reckon(payment: BookedPayment, holdId: string): void {
    const { hold } = this.findHold(holdId);
    if (hold.state === 'voided' || hold.state === 'expired') return;
    const captures = payment.captures.filter(({ state }) => state !== 'denied');
    const isClosed =
      collectedOf(payment, holdId) >= hold.minor ||
      captures.some((capture) => 'isFinalCapture' in capture && capture.isFinalCapture === true);
    const isOver = this.world.clock.now >= Date.parse(hold.validUntil ?? '');
    const open = isOver ? 'expired' : captures.length > 0 ? 'partially_captured' : 'authorized';
    const state = isClosed ? 'captured' : open;
    this.change(payment, holdId, { state });
  }

  private refuseClosed({ state }: Hold, whenCaptured: string): void {
    if (state === 'pending' || state === 'denied') throw new Refused('PAYMENT_STATE_INVALID');
    if (state === 'voided') throw new Refused('AUTHORIZATION_VOIDED');
    if (state === 'expired') throw new Refused('AUTHORIZATION_EXPIRED');
    if (state === 'captured') throw new Refused(whenCaptured);
  }

  private change(payment: BookedPayment, holdId: string, change: Partial<Hold>): void {
    const updateTime = new Date(this.world.clock.now).toISOString();
    payment.holds = payment.holds.map((hold) =>
      hold.id === holdId ? { ...hold, updateTime, ...change } : hold,
    );
  }

  keep(payment: BookedPayment, words: string): Payment {
    this.world.tell(() => `provider: ${words}`);
    const shown = shownAs(payment);
    this.shown.keep(payment.id, this.world.clock.now, shown);
    return shown;
  }

  tell(
    payment: BookedPayment,
    eventType: string,
    kind: BookedEvent['kind'],
    resourceId: string,
    state: string,
    more: Pick<BookedEvent, 'payerId' | 'updatedAt'> = {},
  ): BookedEvent {
    const id = this.world.nextId('WH-');
    const event = { id, eventType, kind, resourceId, state, paymentId: payment.id, ...more };
    this.onEvent(event);
    return event;
  }
}
