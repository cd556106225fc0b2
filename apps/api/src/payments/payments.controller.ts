import { Body, Controller, Get, Inject, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { databaseToken } from '../injected/database-token.js';
import { listAttempts } from '#database/commands';
import type { Database } from '#database/connection';
import { listDriftOf } from '#database/reconciliation';
import { type ApiConfig, apiConfig } from '../injected/api-config.js';
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
import {
  type PaymentListQuery,
  type PaymentOrderRequest,
  paymentListQuery,
  paymentOrderRequest,
} from './payment-requests.js';
import { PaymentRows } from '../rows/payment-rows.js';
import { viewDrift } from '../reconciliation/reconciliation-answers.js';
import { paymentAddress, viewPayment } from './payment-view.js';
import { replyToOrder } from '../commands/command-reply.js';
import { nextChangeQuery, type NextChangeQuery } from '../wire/fields.js';
import {
  type CallListAnswer,
  type CallListQuery,
  callListAnswer,
  callListQuery,
  viewCallList,
} from '../wire/provider-call.js';
import { viewTimeline, timelineAnswer, type TimelineAnswer } from '../wire/timeline.js';

@Controller('v1/payments')
export class PaymentsController {
  constructor(
    @Inject(databaseToken) private readonly db: Database,
    @Inject(OrderPayment) private readonly orders: OrderPayment,
    @Inject(PaymentRows) private readonly rows: PaymentRows,
    @Inject(apiConfig) private readonly config: ApiConfig,
  ) {}

  @Post()
  @describeOperation({
    id: 'orderPayment',
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
    id: 'listPayments',
    summary: 'List payments, newest first',
    tag: 'Payments',
    answers: { 200: paymentListAnswer },
    problems: [401, 422, 503],
  })
  async list(
    @Caller() caller: ApiCaller,
    @Query({ schema: paymentListQuery }) query: PaymentListQuery,
  ): Promise<PaymentListAnswer> {
    const { rows, nextCursor } = await this.rows.list(caller, query);
    const now = Date.now();
    return {
      payments: rows.map((row) => viewPayment(row, this.config, now)),
      nextCursor,
    };
  }

  @Get(':id')
  @describeOperation({
    id: 'getPayment',
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
    const payment = await this.rows.next(caller, id, query, signal);
    const drift = await listDriftOf(this.db, payment.id);
    return { ...viewPayment(payment, this.config, Date.now()), drift: drift.map(viewDrift) };
  }

  @Get(':id/timeline')
  @describeOperation({
    id: 'getPaymentTimeline',
    summary: 'Show the timeline of a payment',
    tag: 'Payments',
    answers: { 200: timelineAnswer },
    problems: [401, 404, 503],
  })
  async timeline(@Caller() caller: ApiCaller, @Param('id') id: string): Promise<TimelineAnswer> {
    return viewTimeline(await this.rows.timeline(caller, id));
  }

  @Get(':id/calls')
  @describeOperation({
    id: 'listPaymentCalls',
    summary: 'List the calls to the provider for a payment, newest first',
    description:
      'The latest recorded call first, without headers and bodies. A call is recorded when it has ended; one whose worker died before is not listed. Of reads by reconciliation only those are listed that showed a new difference. The calls for refunds are not listed here.',
    tag: 'Payments',
    answers: { 200: callListAnswer },
    problems: [401, 404, 422, 503],
  })
  async calls(
    @Caller() caller: ApiCaller,
    @Param('id') id: string,
    @Query({ schema: callListQuery }) query: CallListQuery,
  ): Promise<CallListAnswer> {
    const page = await this.rows.listCalls(caller, id, query);
    return viewCallList(page, await listAttempts(this.db, id));
  }
}
