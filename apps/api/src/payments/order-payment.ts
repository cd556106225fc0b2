import { Inject, Injectable } from '@nestjs/common';
import { acceptPayment } from '../../../../libs/database/src/commands.js';
import type { Database } from '../../../../libs/database/src/database.js';
import type { PaymentRow } from '../../../../libs/database/src/schema.js';
import { type Purchase, orderCommandId } from '../../../../libs/workflows/src/contract.js';
import { type PaymentOrder, orderedPayment } from '../../../../libs/workflows/src/lifecycle/payment.js';
import { type ApiConfig, apiConfig } from '../api-config.js';
import type { Caller } from '../auth/api-keys.js';
import { databaseToken } from '../database-token.js';
import { TemporalAwayError } from '../temporal/temporal-away-error.js';
import { PaymentRuns } from '../temporal/payment-runs.js';
import { assertSameRequest, bodyHash } from './idempotency.js';
import { PaymentChanges } from './payment-changes.js';
import { newPaymentId } from './payment-id.js';
import type { PaymentOrderRequest } from './payment-requests.js';
import { PaymentRows } from './payment-rows.js';
import { paymentAddress } from './payment-view.js';
import { maskEmail, withoutEmails } from './redacted-text.js';

/** Messages after which a run continues as new; a payment sees a few dozen in its life. */
const messagesPerRun = 1_000;

/** Takes an order for a payment: row, run, answer. */
@Injectable()
export class OrderPayment {
  constructor(
    @Inject(databaseToken) private readonly db: Database,
    @Inject(PaymentRuns) private readonly runs: PaymentRuns,
    @Inject(PaymentChanges) private readonly changes: PaymentChanges,
    @Inject(PaymentRows) private readonly rows: PaymentRows,
    @Inject(apiConfig) private readonly config: ApiConfig,
  ) {}

  /**
   * @returns the payment's row as it stands when the provider has answered, or when the waiting is over.
   * @throws {Problem} 409 for a key used otherwise.
   * @throws {TemporalAwayError} when the run may not have started; the same request again starts it.
   */
  async order(caller: Caller, idempotencyKey: string, request: PaymentOrderRequest): Promise<PaymentRow> {
    const { paymentId, orderToStart } = await this.accept(caller, idempotencyKey, request);
    if (orderToStart) await this.startRun(caller, orderToStart, request);
    return await this.changes.until(
      paymentId,
      this.config.answerWithinMs,
      () => this.rows.get(caller, paymentId),
      ({ status }) => status !== 'creating',
    );
  }

  private async accept(
    caller: Caller,
    idempotencyKey: string,
    request: PaymentOrderRequest,
  ): Promise<{ readonly paymentId: string; readonly orderToStart: PaymentOrder | undefined }> {
    const now = Date.now();
    const order = this.orderOf(newPaymentId(now), request, now);
    const command = {
      id: orderCommandId(order.paymentId),
      environment: caller.environment,
      application: caller.application,
      idempotencyKey,
      bodyHash: bodyHash(request),
      kind: 'create',
      paymentId: order.paymentId,
      parameters: { orderId: request.orderId, amount: request.amount },
      requestedBy: `api-key:${caller.keyId}`,
    } as const;
    const { row, isNew } = await acceptPayment(this.db, command, {
      orderId: request.orderId,
      intent: request.intent,
      state: orderedPayment(order, now),
      ...(request.description !== undefined && { description: withoutEmails(request.description) }),
      ...(request.payee && { payeeMasked: maskEmail(request.payee.email) }),
      returnUrl: request.returnUrl,
      cancelUrl: request.cancelUrl,
    });
    if (isNew) return { paymentId: order.paymentId, orderToStart: order };
    assertSameRequest(row, { kind: 'create', bodyHash: command.bodyHash });
    const earlier = await this.rows.get(caller, row.payment_id);
    // Version 0: nobody knows whether the run was ever started. Starting it twice is harmless, not at all is not.
    return { paymentId: earlier.id, orderToStart: earlier.version === 0 ? earlier.state.order : undefined };
  }

  private orderOf(paymentId: string, request: PaymentOrderRequest, now: number): PaymentOrder {
    return {
      paymentId,
      amount: request.amount,
      capturePolicy: request.capturePolicy,
      expiryPolicy: request.expiryPolicy,
      approvalBy: now + request.approvalTimeoutSeconds * 1_000,
      patience: this.config.patience,
    };
  }

  private async startRun(caller: Caller, order: PaymentOrder, request: PaymentOrderRequest): Promise<void> {
    const { environment, application } = caller;
    const { paymentId } = order;
    try {
      await this.runs.start({
        identity: { environment, application, paymentId },
        order,
        purchase: this.purchaseOf(paymentId, request),
        messagesPerRun,
      });
    } catch (error) {
      // Temporal's answer may be lost and the run started all the same: its first row proves that.
      const isProved =
        error instanceof TemporalAwayError && (await this.rows.get(caller, paymentId)).version > 0;
      if (!isProved) throw error;
    }
  }

  /** The provider sends the payer back to us; the order's own addresses stay in the row. */
  private purchaseOf(paymentId: string, request: PaymentOrderRequest): Purchase {
    const self = paymentAddress(paymentId, this.config);
    return {
      orderId: request.orderId,
      ...(request.description !== undefined && { description: request.description }),
      ...(request.payee && { payeeEmail: request.payee.email }),
      returnUrl: `${self}/return`,
      cancelUrl: `${self}/cancel`,
    };
  }
}
