import { Caller } from './transport/caller.js';
import type { PaymentsClientOptions } from './client-options.js';
import type { ClockOffsets } from './transport/provider-clock.js';
import { DIALECTS } from './dialect.js';
import { Agreements } from './resources/agreements.js';
import { Authorizations } from './resources/authorizations.js';
import { Captures } from './resources/captures.js';
import { Events } from './resources/events.js';
import { Payments } from './resources/payments.js';
import { PayoutItems } from './resources/payout-items.js';
import { Payouts } from './resources/payouts.js';
import { Plans } from './resources/plans.js';
import { Refunds } from './resources/refunds.js';
import { Sales } from './resources/sales.js';
import { Webhooks } from './resources/webhooks.js';

/**
 * The payments service for one application of one environment. It keeps the application's access token and connections:
 * create one client and share it.
 */
export class PaymentsClient {
  readonly payments: Payments;
  readonly authorizations: Authorizations;
  readonly captures: Captures;
  readonly sales: Sales;
  readonly refunds: Refunds;
  readonly plans: Plans;
  readonly agreements: Agreements;
  readonly payouts: Payouts;
  readonly payoutItems: PayoutItems;
  readonly webhooks: Webhooks;
  readonly events: Events;
  readonly #caller: Caller;

  /** @throws TypeError if `baseUrl` is no URL */
  constructor(options: PaymentsClientOptions) {
    this.#caller = new Caller(options);
    const dialect = DIALECTS[options.dialect ?? 'interface'];
    this.payments = new Payments(this.#caller, dialect);
    this.authorizations = new Authorizations(this.#caller);
    this.captures = new Captures(this.#caller);
    this.sales = new Sales(this.#caller);
    this.refunds = new Refunds(this.#caller);
    this.plans = new Plans(this.#caller, dialect);
    this.agreements = new Agreements(this.#caller, dialect);
    this.payouts = new Payouts(this.#caller);
    this.payoutItems = new PayoutItems(this.#caller);
    this.webhooks = new Webhooks(this.#caller);
    this.events = new Events(this.#caller, dialect);
  }

  /** How the service's clock differs from ours, as the answers of the last hour or two have shown it. */
  get clockOffsets(): ClockOffsets {
    return this.#caller.clock.offsets;
  }

  /** Lets open exchanges end, then closes the connections. */
  close(): Promise<void> {
    return this.#caller.close();
  }
}
