import { Body, Controller, Get, HttpCode, Inject, Param, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { paymentRecords } from '#database/transitions';
import { type ApiConfig, apiConfig } from '../injected/api-config.js';
import { Caller } from '../auth/api-key.guard.js';
import type { Caller as ApiCaller } from '../auth/api-keys.js';
import { describeOperation } from '../openapi/describe-operation.js';
import { replyToCommand, commandStatusOf } from '../commands/command-reply.js';
import { decisionCommand } from '../reviews/decision.js';
import { Evidence } from '../reviews/evidence.js';
import { IdempotencyKey } from '../commands/idempotency.js';
import { PaymentCommands } from './payment-commands.js';
import { type PaymentDecisionRequest, paymentDecisionRequest } from './payment-requests.js';
import { PaymentRows } from '../rows/payment-rows.js';
import { paymentAddress, viewPayment } from './payment-view.js';
import {
  type DecisionAnswer,
  type ReviewAnswer,
  decisionAnswer,
  reviewAnswer,
  viewReview,
} from './review-answers.js';

/** The evidence and the decision of a review of a payment. */
@Controller('v1/payments/:id/review')
export class ReviewController {
  constructor(
    @Inject(Evidence) private readonly evidence: Evidence,
    @Inject(PaymentCommands) private readonly commands: PaymentCommands,
    @Inject(PaymentRows) private readonly rows: PaymentRows,
    @Inject(apiConfig) private readonly config: ApiConfig,
  ) {}

  @Get()
  @describeOperation({
    id: 'getPaymentReview',
    summary: 'Show the evidence about a payment: calls, lookups, attempts, decisions',
    tag: 'Payments',
    answers: { 200: reviewAnswer },
    problems: [401, 404, 503],
  })
  async show(@Caller() caller: ApiCaller, @Param('id') id: string): Promise<ReviewAnswer> {
    const payment = await this.rows.get(caller, id);
    return viewReview(payment.id, await this.evidence.of(paymentRecords, payment));
  }

  @Post('decision')
  @HttpCode(200)
  @describeOperation({
    id: 'decidePaymentReview',
    summary: 'Decide the review of a payment',
    tag: 'Payments',
    isIdempotent: true,
    answers: { 200: decisionAnswer, 202: decisionAnswer },
    problems: [400, 401, 402, 404, 409, 413, 415, 422, 503],
  })
  async decide(
    @Caller() caller: ApiCaller,
    @Param('id') id: string,
    @IdempotencyKey() idempotencyKey: string,
    @Body({ schema: paymentDecisionRequest }) request: PaymentDecisionRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<DecisionAnswer> {
    const answer = await this.commands.send(caller, decisionCommand(id, idempotencyKey, request));
    const { command, row: payment } = answer;
    replyToCommand(reply, command, paymentAddress(payment.id, this.config));
    return {
      id: command.id,
      status: commandStatusOf(command),
      payment: viewPayment(payment, this.config, Date.now()),
    };
  }
}
