import { Body, Controller, Get, Inject, Param, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { type ApiConfig, apiConfig } from '../injected/api-config.js';
import { Caller } from '../auth/api-key.guard.js';
import type { Caller as ApiCaller } from '../auth/api-keys.js';
import { IdempotencyKey } from '../commands/idempotency.js';
import { describeOperation } from '../openapi/describe-operation.js';
import { PaymentRows } from '../rows/payment-rows.js';
import {
  type PaymentRefundsAnswer,
  paymentRefundsAnswer,
  type ShownRefund,
  shownRefund,
} from './refund-answers.js';
import { type RefundRequest, refundRequest } from './refund-requests.js';
import { viewRefund, viewRefunds } from './refund-view.js';
import { RequestRefund } from './request-refund.js';
import { replyWithAddress } from '../commands/command-reply.js';
import { subjectAddress } from '../wire/links.js';
import { wholeList } from '../wire/pages.js';

@Controller('v1/payments/:id/refunds')
export class PaymentRefundsController {
  constructor(
    @Inject(RequestRefund) private readonly requests: RequestRefund,
    @Inject(PaymentRows) private readonly payments: PaymentRows,
    @Inject(apiConfig) private readonly config: ApiConfig,
  ) {}

  @Post()
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
    replyWithAddress(reply, subjectAddress('refund', refund.id, this.config), { isUnderWay });
    return viewRefund(refund, refund, this.config);
  }

  @Get()
  @describeOperation({
    id: 'listPaymentRefunds',
    summary: 'List the refunds of a payment, oldest first',
    tag: 'Payments',
    answers: { 200: paymentRefundsAnswer },
    problems: [401, 404, 503],
  })
  async ofPayment(@Caller() caller: ApiCaller, @Param('id') id: string): Promise<PaymentRefundsAnswer> {
    return wholeList(viewRefunds(await this.payments.get(caller, id), this.config));
  }
}
