import { Inject, Injectable } from '@nestjs/common';
import type { Database } from '#database/connection';
import { notePayerCancelled, findPaymentById } from '#database/subjects';
import type { PaymentRow } from '#database/schema';
import type { PaymentMessage } from '#workflows/contract';
import type { PaymentState } from '#workflows/lifecycle/payment';
import { type ApiConfig, apiConfig } from '../api-config.js';
import { isSameSecret } from '../auth/same-secret.js';
import { databaseToken } from '../database-token.js';
import { Runs } from '#runs';
import type { PayerCancelQuery, PayerReturnQuery } from './payer-queries.js';
import { BoundedWaits, mostPayerReturns } from '../commands/bounded-waits.js';
import { Changes } from '../commands/changes.js';
import { paymentIdPattern } from '../commands/ids.js';
import { noSuchPayment } from './payment-rows.js';

/** Takes the payer's browser in, tells the run, and sends the browser on to the shop. */
@Injectable()
export class PayerReturn {
  private readonly returns = new BoundedWaits(mostPayerReturns);

  constructor(
    @Inject(databaseToken) private readonly db: Database,
    @Inject(Runs) private readonly runs: Runs,
    @Inject(Changes) private readonly changes: Changes,
    @Inject(apiConfig) private readonly config: ApiConfig,
  ) {}

  /**
   * @returns the order's return address with `payment_id` and `state`.
   * @throws {Problem} 404 unless payment id and token are those of this payment.
   */
  async approved(id: string, { paymentId, token, PayerID }: PayerReturnQuery): Promise<string> {
    const payment = await this.identify(id, token);
    if (!isSameSecret(paymentId, payment.state.providerPaymentId ?? '')) throw noSuchPayment();
    // Parallel returns are one message to the run; one after a vain execution is another.
    const current = await this.tellRun(payment, {
      id: `payer-approved:${PayerID}:${payment.version}`,
      event: { type: 'payerApproved', payerId: PayerID },
    });
    return withOutcome(current.return_url, current);
  }

  /** @returns the order's cancel address with `payment_id` and `state`. */
  async cancelled(id: string, { token }: PayerCancelQuery): Promise<string> {
    const payment = await this.identify(id, token);
    await notePayerCancelled(this.db, 'payments', payment.id);
    // Parallel visits are one message; one that came too late, while an execution was under way, silences no later one.
    const current = await this.tellRun(payment, {
      id: `payer-cancelled:${payment.version}`,
      event: { type: 'payerCancelled' },
    });
    return withOutcome(current.cancel_url, current);
  }

  private async identify(id: string, token: string): Promise<PaymentRow> {
    const payment = await this.find(id);
    const { approvalToken } = payment.state;
    // Without a token on record nobody can show that he is the payer.
    if (approvalToken === undefined || !isSameSecret(token, approvalToken)) throw noSuchPayment();
    return payment;
  }

  /** A run that is past the approval needs not be told; either way the shop is told where the payment stands. */
  private async tellRun(payment: PaymentRow, message: PaymentMessage): Promise<PaymentRow> {
    const { environment, application } = payment;
    // Nothing is lost where one too many is not told: polls and webhooks tell of an approval as well.
    const current = await this.returns.within(`${message.event.type} ${payment.id}`, async () => {
      if (payment.status === 'awaiting_approval') {
        await this.runs.signal({ environment, application, id: payment.id }, message);
      }
      return await this.changes.until(payment.id, this.config.payerWaitMs, {
        look: () => this.find(payment.id),
        satisfies: ({ state }) => !isOnItsWay(state),
        known: payment,
      });
    });
    return current ?? payment;
  }

  private async find(id: string): Promise<PaymentRow> {
    const payment = paymentIdPattern.test(id) ? await findPaymentById(this.db, id) : undefined;
    if (!payment) throw noSuchPayment();
    return payment;
  }
}

/** True while the run is about to tell more. What the provider left pending, a capture or a sale, may take days: not waited for. */
function isOnItsWay({ status, openStep }: PaymentState): boolean {
  return isBeforeMoney(status) || openStep?.phase === 'running';
}

function isBeforeMoney(status: PaymentState['status']): boolean {
  return status === 'awaiting_approval' || status === 'authorizing' || status === 'executing';
}

/** Only an address that the order itself gave is ever redirected to. */
function withOutcome(address: string, { id, status }: PaymentRow): string {
  const target = new URL(address);
  target.searchParams.set('payment_id', id);
  target.searchParams.set('state', status);
  return target.href;
}
