import type { CallOptions, KeyedCallOptions } from '../client-options.js';
import type { Caller } from '../transport/caller.js';
import type { Dialect } from '../dialect.js';
import { createPayment, executePayment, getPayment, listPayments } from '../operations/payments.js';
import { queryOf, toWire } from '../transport/outgoing.js';
import type { Payment, PaymentPage } from '../schemas/payment.js';
import {
  type CreatePaymentRequest,
  createPaymentRequest,
  type ExecutePaymentRequest,
  executePaymentRequest,
  type PaymentSearch,
  paymentSearch,
} from '../schemas/requests.js';

export class Payments {
  readonly #caller: Caller;
  readonly #dialect: Dialect;

  constructor(caller: Caller, dialect: Dialect) {
    this.#caller = caller;
    this.#dialect = dialect;
  }

  /**
   * Creates a payment (2.1; POST /v1/payments/payment). The provider ignores the request id here, so it is sent
   * again only if it provably was not carried out; find a lost one by `invoiceNumber` or `custom` in `list`.
   * @throws RejectedError, DeclinedError, RateLimitedError, UnauthorizedError, UnavailableError: not created;
   *   UnknownOutcomeError: perhaps created
   */
  async create(request: CreatePaymentRequest, options: KeyedCallOptions): Promise<Payment> {
    const wire = toWire(createPaymentRequest, request, { operation: createPayment.name });
    const body = { ...wire, payer: { payment_method: this.#dialect.walletPaymentMethod } };
    return this.#caller.perform(createPayment, { ...options, body });
  }

  /** @throws NotFoundError (perhaps not yet there), UnavailableError, … */
  get(id: string, options: CallOptions = {}): Promise<Payment> {
    return this.#caller.perform(getPayment, { ...options, id });
  }

  /** One page of the application's payments, newest first. @throws UnavailableError, RejectedError, … */
  async list(search: PaymentSearch = {}, options: CallOptions = {}): Promise<PaymentPage> {
    const query = queryOf(toWire(paymentSearch, search, { operation: listPayments.name }));
    return this.#caller.perform(listPayments, { ...options, query });
  }

  /**
   * Executes an approved payment: creates an authorization or a sale. The request id is declared here: a lost reply is
   * asked for again with the same id.
   * @throws RejectedError (`PAYMENT_NOT_APPROVED_FOR_EXECUTION`, …), DeclinedError, ConflictError, …: not done;
   *   UnknownOutcomeError: perhaps done
   */
  async execute(id: string, request: ExecutePaymentRequest, options: KeyedCallOptions): Promise<Payment> {
    const body = toWire(executePaymentRequest, request, { operation: executePayment.name });
    return this.#caller.perform(executePayment, { ...options, id, body });
  }
}
