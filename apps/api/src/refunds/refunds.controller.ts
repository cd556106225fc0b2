import { Body, Controller, Get, Inject, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isRefundTerminal } from '#workflows/lifecycle/refund';
import { type ApiConfig, apiConfig } from '../api-config.js';
import { Caller } from '../auth/api-key.guard.js';
import type { Caller as ApiCaller } from '../auth/api-keys.js';
import { Changes } from '../commands/changes.js';
import { IdempotencyKey } from '../commands/idempotency.js';
import { describeOperation } from '../openapi/describe-operation.js';
import { PaymentRows } from '../payments/payment-rows.js';
import { nextCursor } from '../wire/pages.js';
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
  refundCursor,
  refundListQuery,
  refundRequest,
} from './refund-requests.js';
import { RefundRows } from './refund-rows.js';
import { refundAddress, viewRefund } from './refund-view.js';
import { RequestRefund } from './request-refund.js';
import { replyToOrder } from '../commands/command-reply.js';
import { nextChangeQuery, type NextChangeQuery } from '../wire/fields.js';

@Controller('v1')
export class RefundsController {
  constructor(
    @Inject(RequestRefund) private readonly requests: RequestRefund,
    @Inject(PaymentRows) private readonly payments: PaymentRows,
    @Inject(RefundRows) private readonly refunds: RefundRows,
    @Inject(Changes) private readonly changes: Changes,
    @Inject(apiConfig) private readonly config: ApiConfig,
  ) {}

  @Post('payments/:id/refunds')
  @describeOperation({
    summary: 'Give back what was captured or sold, whole or in part',
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
    // Nobody knows yet whether it was made.
    const isUnderWay = refund.status === 'requesting' || refund.status === 'needs_review';
    replyToOrder(reply, refundAddress(refund.id, this.config), { isUnderWay });
    return viewRefund(refund, refund, this.config);
  }

  @Get('payments/:id/refunds')
  @describeOperation({
    summary: 'List what went back of a payment, oldest first',
    tag: 'Payments',
    answers: { 200: paymentRefundsAnswer },
    problems: [401, 404, 503],
  })
  async ofPayment(@Caller() caller: ApiCaller, @Param('id') id: string): Promise<PaymentRefundsAnswer> {
    const payment = await this.payments.get(caller, id);
    return { refunds: payment.refunds.map((refund) => viewRefund(payment, refund, this.config)) };
  }

  @Get('refunds')
  @describeOperation({
    summary: 'List refunds of all payments, newest first',
    tag: 'Payments',
    answers: { 200: refundListAnswer },
    problems: [401, 422, 503],
  })
  async list(
    @Caller() caller: ApiCaller,
    @Query({ schema: refundListQuery }) query: RefundListQuery,
  ): Promise<RefundListAnswer> {
    const page = await this.refunds.list(caller, query);
    return {
      refunds: page.rows.map((refund) => viewRefund(refund, refund, this.config)),
      nextCursor: nextCursor(page, refundCursor, ({ id }) => id),
    };
  }

  @Get('refunds/:id')
  @describeOperation({
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
    const refund = await this.changes.next(query, {
      look: () => this.refunds.get(caller, id),
      versionOf: (row) => row.shown_version,
      isAtRest: ({ status }) => isRefundTerminal(status),
      signal,
    });
    return viewRefund(refund, refund, this.config);
  }
}
