import { Body, Controller, Get, Inject, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ApiConfig, apiConfig } from '../injected/api-config.js';
import { Caller } from '../auth/api-key.guard.js';
import type { Caller as ApiCaller } from '../auth/api-keys.js';
import { IdempotencyKey } from '../commands/idempotency.js';
import { describeOperation } from '../openapi/describe-operation.js';
import { PaymentRows } from '../rows/payment-rows.js';
import {
  type PaymentRefundsAnswer,
  paymentRefundsAnswer,
  type RefundListAnswer,
  type ShownRefund,
  refundListAnswer,
  shownRefund,
} from './refund-answers.js';
import {
  type RefundListQuery,
  type RefundRequest,
  refundListQuery,
  refundRequest,
} from './refund-requests.js';
import { RefundRows } from '../rows/refund-rows.js';
import { refundAddress, viewRefund, viewRefunds } from './refund-view.js';
import { RequestRefund } from './request-refund.js';
import { replyToOrder } from '../commands/command-reply.js';
import { nextChangeQuery, type NextChangeQuery } from '../wire/fields.js';

@Controller('v1')
export class RefundsController {
  constructor(
    @Inject(RequestRefund) private readonly requests: RequestRefund,
    @Inject(PaymentRows) private readonly payments: PaymentRows,
    @Inject(RefundRows) private readonly refunds: RefundRows,
    @Inject(apiConfig) private readonly config: ApiConfig,
  ) {}

  @Post('payments/:id/refunds')
  @describeOperation({
    id: 'refundPayment',
    summary: 'Refund a capture or a sale, whole or in part',
    tag: 'Payments',
    isIdempotent: true,
    answers: { 201: shownRefund, 202: shownRefund },
    problems: [400, 401, 402, 404, 409, 413, 415, 422, 503],
  })
  async request(
    @Caller() caller: ApiCaller,
    @Param('id') id: string,
    @IdempotencyKey() idempotencyKey: string,
    @Body({ schema: refundRequest }) request: RefundRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ShownRefund> {
    const refund = await this.requests.request(caller, id, idempotencyKey, request);
    // Its outcome is not known yet.
    const isUnderWay = refund.status === 'requesting' || refund.status === 'needs_review';
    replyToOrder(reply, refundAddress(refund.id, this.config), { isUnderWay });
    return viewRefund(refund, refund, this.config);
  }

  @Get('payments/:id/refunds')
  @describeOperation({
    id: 'listPaymentRefunds',
    summary: 'List the refunds of a payment, oldest first',
    tag: 'Payments',
    answers: { 200: paymentRefundsAnswer },
    problems: [401, 404, 503],
  })
  async ofPayment(@Caller() caller: ApiCaller, @Param('id') id: string): Promise<PaymentRefundsAnswer> {
    return { refunds: viewRefunds(await this.payments.get(caller, id), this.config) };
  }

  @Get('refunds')
  @describeOperation({
    id: 'listRefunds',
    summary: 'List refunds of all payments, newest first',
    tag: 'Payments',
    answers: { 200: refundListAnswer },
    problems: [401, 422, 503],
  })
  async list(
    @Caller() caller: ApiCaller,
    @Query({ schema: refundListQuery }) query: RefundListQuery,
  ): Promise<RefundListAnswer> {
    const { rows, nextCursor } = await this.refunds.list(caller, query);
    return {
      refunds: rows.map((refund) => viewRefund(refund, refund, this.config)),
      nextCursor,
    };
  }

  @Get('refunds/:id')
  @describeOperation({
    id: 'getRefund',
    summary: 'Show a refund, now or at its next change',
    tag: 'Payments',
    answers: { 200: shownRefund },
    problems: [401, 404, 422, 503],
  })
  async show(
    @Caller() caller: ApiCaller,
    @Param('id') id: string,
    @Query({ schema: nextChangeQuery }) query: NextChangeQuery,
    @Req() { signal }: FastifyRequest,
  ): Promise<ShownRefund> {
    const refund = await this.refunds.next(caller, id, query, signal);
    return viewRefund(refund, refund, this.config);
  }
}
