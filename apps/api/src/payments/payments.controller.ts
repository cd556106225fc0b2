import { Body, Controller, Get, Inject, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { databaseToken } from '../database-token.js';
import type { Database } from '#database/connection';
import { listDriftOf } from '#database/reconciliation';
import type { PaymentWithRefunds } from '#database/subjects';
import { listTimeline } from '#database/transitions';
import { isTerminal } from '#workflows/lifecycle/payment';
import { isRefundTerminal } from '#workflows/lifecycle/refund';
import { type ApiConfig, apiConfig } from '../api-config.js';
import { Caller } from '../auth/api-key.guard.js';
import type { Caller as ApiCaller } from '../auth/api-keys.js';
import { describeOperation } from '../openapi/describe-operation.js';
import { IdempotencyKey } from '../commands/idempotency.js';
import { OrderPayment } from './order-payment.js';
import {
  type PaymentAnswer,
  type PaymentDetailsAnswer,
  type PaymentListAnswer,
  paymentAnswer,
  paymentDetailsAnswer,
  paymentListAnswer,
} from './payment-answers.js';
import { Changes } from '../commands/changes.js';
import {
  type PaymentListQuery,
  type PaymentOrderRequest,
  paymentListQuery,
  paymentOrderRequest,
  paymentCursor,
} from './payment-requests.js';
import { PaymentRows } from './payment-rows.js';
import { viewDrift } from '../reconciliation/reconciliation-answers.js';
import { paymentAddress, versionOf, viewPayment } from './payment-view.js';
import { replyToOrder } from '../commands/command-reply.js';
import { nextCursor } from '../wire/pages.js';
import { nextChangeQuery, type NextChangeQuery } from '../wire/fields.js';
import { viewTimeline, timelineAnswer, type TimelineAnswer } from '../wire/timeline.js';

@Controller('v1/payments')
export class PaymentsController {
  constructor(
    @Inject(databaseToken) private readonly db: Database,
    @Inject(OrderPayment) private readonly orders: OrderPayment,
    @Inject(PaymentRows) private readonly rows: PaymentRows,
    @Inject(Changes) private readonly changes: Changes,
    @Inject(apiConfig) private readonly config: ApiConfig,
  ) {}

  @Post()
  @describeOperation({
    summary: 'Order a payment',
    tag: 'Payments',
    isIdempotent: true,
    answers: { 201: paymentAnswer, 202: paymentAnswer },
    problems: [400, 401, 409, 413, 415, 422, 503],
  })
  async order(
    @Caller() caller: ApiCaller,
    @IdempotencyKey() idempotencyKey: string,
    @Body({ schema: paymentOrderRequest }) request: PaymentOrderRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PaymentAnswer> {
    const payment = await this.orders.order(caller, idempotencyKey, request);
    replyToOrder(reply, paymentAddress(payment.id, this.config), {
      isUnderWay: payment.status === 'creating',
    });
    return viewPayment(payment, this.config, Date.now());
  }

  @Get()
  @describeOperation({
    summary: 'List payments, newest first',
    tag: 'Payments',
    answers: { 200: paymentListAnswer },
    problems: [401, 422, 503],
  })
  async list(
    @Caller() caller: ApiCaller,
    @Query({ schema: paymentListQuery }) query: PaymentListQuery,
  ): Promise<PaymentListAnswer> {
    const page = await this.rows.list(caller, query);
    const now = Date.now();
    return {
      payments: page.rows.map((row) => viewPayment(row, this.config, now)),
      nextCursor: nextCursor(page, paymentCursor, ({ id }) => id),
    };
  }

  @Get(':id')
  @describeOperation({
    summary: 'Show a payment, now or at its next change',
    tag: 'Payments',
    answers: { 200: paymentDetailsAnswer },
    problems: [401, 404, 422, 503],
  })
  async show(
    @Caller() caller: ApiCaller,
    @Param('id') id: string,
    @Query({ schema: nextChangeQuery }) query: NextChangeQuery,
    @Req() { signal }: FastifyRequest,
  ): Promise<PaymentDetailsAnswer> {
    const payment = await this.changes.next(query, {
      look: () => this.rows.get(caller, id),
      versionOf,
      isAtRest,
      signal,
    });
    const drift = await listDriftOf(this.db, payment.id);
    return { ...viewPayment(payment, this.config, Date.now()), drift: drift.map(viewDrift) };
  }

  @Get(':id/timeline')
  @describeOperation({
    summary: 'Tell what happened to a payment',
    tag: 'Payments',
    answers: { 200: timelineAnswer },
    problems: [401, 404, 503],
  })
  async timeline(@Caller() caller: ApiCaller, @Param('id') id: string): Promise<TimelineAnswer> {
    const { id: paymentId } = await this.rows.get(caller, id);
    return viewTimeline(await listTimeline(this.db, paymentId));
  }
}

/** Nothing is under way: it has ended, and so has all that goes back of it. */
function isAtRest({ status, refunds }: PaymentWithRefunds): boolean {
  return isTerminal(status) && refunds.every(({ state }) => isRefundTerminal(state.status));
}
