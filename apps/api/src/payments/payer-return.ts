import { Inject, Injectable } from '@nestjs/common';
import type { Database } from '#database/connection';
import { notePayerCancelled, findPaymentById } from '#database/subjects';
import type { PaymentRow } from '#database/schema';
import type { PaymentMessage } from '#workflows/contract';
import type { PaymentState } from '#workflows/lifecycle/payment';
import { type ApiConfig, apiConfig } from '../injected/api-config.js';
import { isSameSecret } from '../auth/same-secret.js';
import { databaseToken } from '../injected/database-token.js';
import { Runs } from '#runs';
import type { PayerCancelQuery, PayerReturnQuery } from './payer-queries.js';
import { BoundedWaits, mostPayerReturns } from '../commands/bounded-waits.js';
import { ChangeWaits } from '../commands/wait-for-change.js';
import { paymentIdPattern } from '../wire/ids.js';
import { noSuch } from '../rows/subject-rows.js';

/** Receives the payer's browser, signals the run and redirects the browser to the shop. */
@Injectable()
export class PayerReturn {
  private readonly returns = new BoundedWaits(mostPayerReturns);

  constructor(
    @Inject(databaseToken) private readonly db: Database,
    @Inject(Runs) private readonly runs: Runs,
    @Inject(ChangeWaits) private readonly changes: ChangeWaits,
    @Inject(apiConfig) private readonly config: ApiConfig,
  ) {}

  /**
   * @returns the order's return address with `payment_id` and `state`.
   * @throws {Problem} 404 unless payment id and token are those of this payment.
   */
  async approved(id: string, { paymentId, token, PayerID }: PayerReturnQuery): Promise<string> {
    const payment = await this.identify(id, token);
    if (!isSameSecret(paymentId, payment.state.providerPaymentId ?? '')) throw noSuch('payment');
    // Parallel returns send one message to the run; a return after a failed execution sends another one.
    const message = {
      id: `payer-approved:${PayerID}:${payment.version}`,
      event: { type: 'payerApproved', payerId: PayerID },
    } as const;
    const isHeard = payment.status === 'awaiting_approval' || payment.state.isCancelWaiting === true;
    const current = await this.tellRun(payment, message, isHeard);
    return withOutcome(current.return_url, current);
  }

  /** @returns the order's cancel address with `payment_id` and `state`. */
  async cancelled(id: string, { token }: PayerCancelQuery): Promise<string> {
    const payment = await this.identify(id, token);
    await notePayerCancelled(this.db, 'payments', payment.id);
    // Parallel visits send one message. An execution that the provider puts off may still be cancelled; a visit during one
    // that it carries out is too late, and must not suppress a later one.
    const message = { id: `payer-cancelled:${payment.version}`, event: { type: 'payerCancelled' } } as const;
    const current = await this.tellRun(payment, message, isCancelHeard(payment.state));
    return withOutcome(current.cancel_url, current);
  }

  private async identify(id: string, token: string): Promise<PaymentRow> {
    const payment = await this.find(id);
    const { approvalToken } = payment.state;
    // Without a recorded token nobody can prove to be the payer.
    if (approvalToken === undefined || !isSameSecret(token, approvalToken)) throw noSuch('payment');
    return payment;
  }

  /**
   * The shop gets the payment's state in any case.
   *
   * @param isHeard whether the run acts on the message: only then it is signalled.
   */
  private async tellRun(payment: PaymentRow, message: PaymentMessage, isHeard: boolean): Promise<PaymentRow> {
    const { environment, application } = payment;
    // Skipping a signal loses nothing: polls and webhooks report an approval, too, and reconciliation a cancellation.
    const current = await this.returns.within(`${message.event.type} ${payment.id}`, async () => {
      const tell = async () =>
        isHeard && (await this.runs.signal({ environment, application, id: payment.id }, message));
      return await this.changes.after(tell, payment.id, this.config.payerWaitMs, {
        read: () => this.find(payment.id),
        satisfies: ({ state }) => !isOnItsWay(state),
        known: payment,
      });
    });
    return current ?? payment;
  }

  private async find(id: string): Promise<PaymentRow> {
    const payment = paymentIdPattern.test(id) ? await findPaymentById(this.db, id) : undefined;
    if (!payment) throw noSuch('payment');
    return payment;
  }
}

/** True while the run is about to change the state. A pending capture or sale may take days and is not waited for. */
function isOnItsWay({ status, openStep }: PaymentState): boolean {
  return isBeforeMoney(status) || openStep?.phase === 'running';
}

/** Also while an operator is asked whether it was executed. */
function isCancelHeard({ status, openStep }: PaymentState): boolean {
  const isReviewed = status === 'needs_review' && openStep?.step.type === 'executePayment';
  return isReviewed || isBeforeMoney(status);
}

function isBeforeMoney(status: PaymentState['status']): boolean {
  return status === 'awaiting_approval' || status === 'authorizing' || status === 'executing';
}

/** Redirects only to an address that the order gave. */
function withOutcome(address: string, { id, status }: PaymentRow): string {
  const target = new URL(address);
  target.searchParams.set('payment_id', id);
  target.searchParams.set('state', status);
  return target.href;
}
