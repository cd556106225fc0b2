import type { CallOptions, KeyedCallOptions } from '../client-options.js';
import type { Caller } from '../transport/caller.js';
import {
  captureAuthorization,
  getAuthorization,
  reauthorizeAuthorization,
  voidAuthorization,
} from '../operations/payments.js';
import { toWire } from '../transport/outgoing.js';
import type { Authorization } from '../schemas/authorization.js';
import type { Capture } from '../schemas/capture.js';
import {
  type CaptureRequest,
  captureRequest,
  type ReauthorizeRequest,
  reauthorizeRequest,
} from '../schemas/requests.js';

export class Authorizations {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** The authorization (2.4). @throws NotFoundError (perhaps not yet there), UnavailableError, … */
  get(id: string, options: CallOptions = {}): Promise<Authorization> {
    return this.#caller.perform(getAuthorization, { ...options, id });
  }

  /**
   * Collects held funds. The provider ignores the request id here, so it is sent again only if it provably was
   * not carried out; find a lost one by its `invoiceNumber` among the payment's related resources.
   * @throws RejectedError (`AUTHORIZATION_VOIDED`, …), DeclinedError, ConflictError, RateLimitedError,
   *   UnavailableError, …: not captured; UnknownOutcomeError: perhaps captured
   */
  async capture(id: string, request: CaptureRequest, options: KeyedCallOptions): Promise<Capture> {
    const body = toWire(captureRequest, request, { operation: captureAuthorization.name });
    return this.#caller.perform(captureAuthorization, { ...options, id, body });
  }

  /**
   * Releases the hold. The request id is declared here: a lost reply is asked for again with the same id.
   * @throws RejectedError (`AUTHORIZATION_CANNOT_BE_VOIDED`, …), ConflictError, …: not voided;
   *   UnknownOutcomeError: perhaps voided
   */
  void(id: string, options: KeyedCallOptions): Promise<Authorization> {
    return this.#caller.perform(voidAuthorization, { ...options, id, body: {} });
  }

  /**
   * Reauthorizes the funds, once the honour period is over (section 8: 3 days, of 29). The answer may be another
   * authorization, which then replaces this one. The provider ignores the request id here, so it is sent again only if
   * it provably was not carried out; a lost one shows in the payment's related resources and in what this authorization
   * has become.
   * @throws RejectedError (`REAUTHORIZATION_TOO_SOON`, `AUTHORIZATION_EXPIRED`, `TOO_MANY_REAUTHORIZATIONS`, …),
   *   DeclinedError, …: held as before; UnknownOutcomeError: perhaps reauthorized
   */
  async reauthorize(
    id: string,
    request: ReauthorizeRequest,
    options: KeyedCallOptions,
  ): Promise<Authorization> {
    const body = toWire(reauthorizeRequest, request, { operation: reauthorizeAuthorization.name });
    return this.#caller.perform(reauthorizeAuthorization, { ...options, id, body });
  }
}
