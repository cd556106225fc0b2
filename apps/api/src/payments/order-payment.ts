import { Inject, Injectable } from '@nestjs/common';
import { type NewPayment, acceptCommand, acceptPayment, insertLostPayment } from '#database/commands';
import type { Database } from '#database/connection';
import type { CommandRow, PaymentRow } from '#database/schema';
import type { PaymentWithRefunds } from '#database/subjects';
import { type RunStart, type Purchase, orderCommandId } from '#workflows/contract';
import {
  type PaymentOrder,
  type PaymentState,
  isSale,
  orderedPayment,
  rulesOfNewOrders,
} from '#workflows/lifecycle/payment';
import { type ApiConfig, apiConfig } from '../injected/api-config.js';
import type { Caller } from '../auth/api-keys.js';
import { askedCommand, requesterOf } from '../commands/asked-command.js';
import { databaseToken } from '../injected/database-token.js';
import { servedApplication } from '../injected/served-application.js';
import { messagesPerRun, payerAddresses, paymentRunStart } from '#runs';
import { assertSameOrder } from '../commands/idempotency.js';
import { newId } from '../wire/ids.js';
import { Starting } from '../commands/starting.js';
import { orderHash, policiesOf, problemOfWindow } from './payment-policies.js';
import { hasLetters, sealLetters } from './payment-letters.js';
import type { PaymentOrderRequest } from './payment-requests.js';
import { PaymentRows } from '../rows/payment-rows.js';
import { maskEmail } from './redacted-text.js';
import { withoutEmails } from '#database/text';

/** Accepts an order for a payment: writes its row, starts its run and answers. */
@Injectable()
export class OrderPayment {
  constructor(
    @Inject(databaseToken) private readonly db: Database,
    @Inject(Starting) private readonly starting: Starting,
    @Inject(PaymentRows) private readonly rows: PaymentRows,
    @Inject(apiConfig) private readonly config: ApiConfig,
  ) {}

  /**
   * @returns the payment's row when the provider has answered, or when the wait has ended.
   * @throws {Problem} 409 for a key that was used for another request.
   * @throws {TemporalAwayError} if the run may not have started; repeating the same request starts it.
   */
  async order(
    caller: Caller,
    idempotencyKey: string,
    request: PaymentOrderRequest,
  ): Promise<PaymentWithRefunds> {
    const accepted = await this.accept(caller, idempotencyKey, request);
    return await this.starting.begin(accepted, {
      run: () => this.runOf(accepted, request),
      read: () => this.rows.get(caller, accepted.id),
      isAnswered: ({ status }) => status !== 'creating',
      orderedBy: {
        kind: 'create',
        commandId: orderCommandId(accepted.id),
        idempotencyKey,
        bodyHash: orderHash(request),
        requestedBy: requesterOf(caller),
      },
    });
  }

  private async accept(
    caller: Caller,
    idempotencyKey: string,
    request: PaymentOrderRequest,
  ): Promise<PaymentWithRefunds> {
    const now = Date.now();
    const paymentId = newId('payment', now);
    const order = this.orderOf(caller, paymentId, request, now);
    const payment = this.newPayment(request, orderedPayment(order, now));
    const command = askedCommand(caller, {
      id: orderCommandId(paymentId),
      idempotencyKey,
      bodyHash: orderHash(request),
      kind: 'create',
      subjectId: paymentId,
      parameters: { orderId: request.orderId, amount: request.amount },
    });
    const problem = problemOfWindow(order, now);
    const { row, isNew } = problem
      ? await acceptCommand(this.db, command, { problem: problem.kept() })
      : await acceptPayment(this.db, command, payment);
    if (isNew && !problem) return acceptedRow(row, payment);
    assertSameOrder(row, command);
    return (await this.rows.find(caller, row.subject_id)) ?? (await this.writeAgain(caller, row, request));
  }

  /** The row was lost when the database was restored; its run still carries the payment (docs/decisions/0033). */
  private async writeAgain(
    caller: Caller,
    command: CommandRow,
    request: PaymentOrderRequest,
  ): Promise<PaymentWithRefunds> {
    const { environment, application, subject_id: id } = command;
    const now = Date.now();
    const state = orderedPayment(this.orderOf(caller, id, request, now), now);
    await insertLostPayment(this.db, { environment, application, id }, this.newPayment(request, state));
    await this.starting.requestLostRow({ environment, application, id });
    return await this.rows.get(caller, id);
  }

  private orderOf(
    caller: Caller,
    paymentId: string,
    request: PaymentOrderRequest,
    now: number,
  ): PaymentOrder {
    return {
      paymentId,
      ...(isSale(request) && { intent: request.intent }),
      ...rulesOfNewOrders(request),
      amount: request.amount,
      ...(request.amountDetails && { amountDetails: request.amountDetails }),
      ...(hasLetters(request) && { hasLetters: true }),
      ...policiesOf(request, servedApplication(this.config, caller)?.policies),
      approvalBy: now + request.approvalTimeoutSeconds * 1_000,
      patience: this.config.patience,
    };
  }

  private runOf({ environment, application, id, state }: PaymentRow, request: PaymentOrderRequest): RunStart {
    return paymentRunStart({
      identity: { environment, application, paymentId: id },
      order: state.order,
      purchase: this.purchaseOf(id, request),
      messagesPerRun,
    });
  }

  /** The stored order: e-mail addresses are masked, what is written to the payer is encrypted. */
  private newPayment(request: PaymentOrderRequest, state: PaymentState): NewPayment {
    const { paymentId, hasLetters: isSealed } = state.order;
    return {
      orderId: request.orderId,
      intent: request.intent,
      state,
      ...(request.description !== undefined && { description: withoutEmails(request.description) }),
      ...(request.payee && { payeeMasked: maskEmail(request.payee.email) }),
      ...(isSealed && { sealedLetters: sealLetters(this.config.codecKeys, request, paymentId) }),
      returnUrl: request.returnUrl,
      cancelUrl: request.cancelUrl,
      metadata: request.metadata,
    };
  }

  /** The provider redirects the payer to us; the order's own addresses stay in the row. */
  private purchaseOf(paymentId: string, request: PaymentOrderRequest): Purchase {
    return {
      orderId: request.orderId,
      ...(request.description !== undefined && { description: request.description }),
      ...(request.payee && { payeeEmail: request.payee.email }),
      ...payerAddresses(this.config.publicUrl, paymentId),
    };
  }
}

/** The payment's row as it was just written together with the command's row. */
function acceptedRow(command: CommandRow, payment: NewPayment): PaymentWithRefunds {
  return {
    id: command.subject_id,
    environment: command.environment,
    application: command.application,
    order_id: payment.orderId,
    intent: payment.intent,
    status: payment.state.status,
    state: payment.state,
    version: 0,
    version_floor: 0,
    read_began_at: null,
    waits_since: null,
    shown_version: 0,
    description: payment.description ?? null,
    payee_masked: payment.payeeMasked ?? null,
    return_url: payment.returnUrl,
    cancel_url: payment.cancelUrl,
    metadata: payment.metadata ?? {},
    refund_changes: 0,
    created_at: command.created_at,
    updated_at: command.updated_at,
    refunds: [],
  };
}
