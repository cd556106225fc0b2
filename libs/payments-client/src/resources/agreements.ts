import type { Caller } from '../transport/caller.js';
import type { CallOptions, KeyedCallOptions } from '../client-options.js';
import type { Dialect } from '../dialect.js';
import type { Operation } from '../operations/operation.js';
import {
  billAgreementBalance,
  cancelAgreement,
  createAgreement,
  executeAgreement,
  getAgreement,
  listAgreementTransactions,
  reactivateAgreement,
  setAgreementBalance,
  suspendAgreement,
  updateAgreement,
} from '../operations/subscriptions.js';
import { queryOf, toWire } from '../transport/outgoing.js';
import type { Agreement, PendingAgreement } from '../schemas/agreement.js';
import {
  type AgreementNote,
  agreementNote,
  type AgreementTransactionSearch,
  agreementTransactionSearch,
  type BillBalanceRequest,
  billBalanceRequest,
  type CreateAgreementRequest,
  createAgreementRequest,
  type SetBalanceRequest,
  setBalanceRequest,
  spellAgreement,
  type UpdateAgreementRequest,
  updateAgreementRequest,
} from '../schemas/agreement-request.js';
import type { AgreementTransaction } from '../schemas/agreement-transaction.js';

/**
 * Subscriptions of payers to plans. The request id is declared for none of these calls: whatever changes something is
 * sent again only if it provably was not carried out, and a lost reply is an UnknownOutcomeError to be resolved by `get`.
 */
export class Agreements {
  readonly #caller: Caller;
  readonly #dialect: Dialect;

  constructor(caller: Caller, dialect: Dialect) {
    this.#caller = caller;
    this.#dialect = dialect;
  }

  /**
   * Creates an agreement (2.6) for its payer's approval. Nothing is billed before it is executed. If the reply is lost,
   * the agreement cannot be found or approved, so creating another one is harmless.
   * @throws RejectedError, NotFoundError (`TEMPLATE_ID_INVALID`: no such plan), …: not created; UnknownOutcomeError
   */
  async create(request: CreateAgreementRequest, options: KeyedCallOptions): Promise<PendingAgreement> {
    const wire = toWire(createAgreementRequest, request, { operation: createAgreement.name });
    const body = spellAgreement(this.#dialect, wire);
    return this.#caller.perform(createAgreement, { ...options, body });
  }

  /**
   * Executes an approved agreement and collects its setup fee. A token belongs to one agreement: executing it again
   * returns the existing one (observed at the public API, not promised), which is how a lost one is found.
   * @param token of the pending agreement, or of the payer's return
   * @throws RejectedError (`PAYMENT_NOT_APPROVED_FOR_EXECUTION`, `PAYMENT_EXPIRED`), DeclinedError, …: not executed;
   *   UnknownOutcomeError: perhaps executed
   */
  execute(token: string, options: KeyedCallOptions): Promise<Agreement> {
    return this.#caller.perform(executeAgreement, { ...options, id: token, body: {} });
  }

  /** @throws NotFoundError (perhaps not yet there), UnavailableError, … */
  get(id: string, options: CallOptions = {}): Promise<Agreement> {
    return this.#caller.perform(getAgreement, { ...options, id });
  }

  /**
   * Replaces what the request names.
   * @throws RejectedError (422 `UNPROCESSABLE_ENTITY` once it has ended), …: unchanged; UnknownOutcomeError
   */
  async update(id: string, request: UpdateAgreementRequest, options: CallOptions = {}): Promise<void> {
    const body = toWire(updateAgreementRequest, request, { operation: updateAgreement.name });
    return this.#caller.perform(updateAgreement, { ...options, id, body });
  }

  /** Stops the cycles. @throws RejectedError (`INVALID_STATUS_TO_SUSPEND`), …; UnknownOutcomeError: perhaps suspended */
  suspend(id: string, note: AgreementNote, options: KeyedCallOptions): Promise<void> {
    return this.#change(suspendAgreement, id, note, options);
  }

  /**
   * Continues with the next cycle that is due.
   * @throws RejectedError (`INVALID_STATUS_TO_REACTIVATE`), …; UnknownOutcomeError: perhaps active again
   */
  reactivate(id: string, note: AgreementNote, options: KeyedCallOptions): Promise<void> {
    return this.#change(reactivateAgreement, id, note, options);
  }

  /** Ends it for good. @throws RejectedError (`RP_INVALID_STATUS_TO_CANCEL`), …; UnknownOutcomeError: perhaps cancelled */
  cancel(id: string, note: AgreementNote, options: KeyedCallOptions): Promise<void> {
    return this.#change(cancelAgreement, id, note, options);
  }

  /**
   * Forgives the outstanding amount above a balance.
   * @throws RejectedError (`RP_CANT_INCREASE_OUTSTANDING_AMOUNT`), …; UnknownOutcomeError: perhaps forgiven
   */
  async setBalance(id: string, request: SetBalanceRequest, options: KeyedCallOptions): Promise<void> {
    const body = toWire(setBalanceRequest, request, { operation: setAgreementBalance.name });
    return this.#caller.perform(setAgreementBalance, { ...options, id, body });
  }

  /**
   * Collects the requested part of the outstanding amount.
   * @throws RejectedError (`RP_CANT_INCREASE_OUTSTANDING_AMOUNT`), DeclinedError, …: nothing moved;
   *   UnknownOutcomeError: perhaps collected, see `transactions`
   */
  async billBalance(id: string, request: BillBalanceRequest, options: KeyedCallOptions): Promise<void> {
    const body = toWire(billBalanceRequest, request, { operation: billAgreementBalance.name });
    return this.#caller.perform(billAgreementBalance, { ...options, id, body });
  }

  /** The transactions of some days, oldest first. @throws NotFoundError, RejectedError, UnavailableError, … */
  async transactions(
    id: string,
    search: AgreementTransactionSearch,
    options: CallOptions = {},
  ): Promise<readonly AgreementTransaction[]> {
    const { name } = listAgreementTransactions;
    const query = queryOf(toWire(agreementTransactionSearch, search, { operation: name }));
    return this.#caller.perform(listAgreementTransactions, { ...options, id, query });
  }

  async #change(
    operation: Operation<undefined>,
    id: string,
    note: AgreementNote,
    options: KeyedCallOptions,
  ): Promise<void> {
    const body = toWire(agreementNote, note, { operation: operation.name });
    return this.#caller.perform(operation, { ...options, id, body });
  }
}
