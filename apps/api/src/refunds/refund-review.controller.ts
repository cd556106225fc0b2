import { Body, Controller, Get, HttpCode, Inject, Param, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { refundRecords } from '#database/transitions';
import { type ApiConfig, apiConfig } from '../injected/api-config.js';
import { Caller } from '../auth/api-key.guard.js';
import type { Caller as ApiCaller } from '../auth/api-keys.js';
import { commandStatusOf, replyToCommand } from '../commands/command-reply.js';
import { IdempotencyKey } from '../commands/idempotency.js';
import { describeOperation } from '../openapi/describe-operation.js';
import { Evidence } from '../reviews/evidence.js';
import {
  type RefundDecisionAnswer,
  type RefundReviewAnswer,
  refundDecisionAnswer,
  refundReviewAnswer,
} from './refund-answers.js';
import { type RefundDecisionRequest, refundDecisionRequest } from './refund-requests.js';
import { RefundRows } from '../rows/refund-rows.js';
import { RefundCommands } from './refund-commands.js';
import { refundAddress, viewRefund } from './refund-view.js';

/** The evidence and the decision of a review of a refund. */
@Controller('v1/refunds/:id/review')
export class RefundReviewController {
  constructor(
    @Inject(Evidence) private readonly evidence: Evidence,
    @Inject(RefundCommands) private readonly commands: RefundCommands,
    @Inject(RefundRows) private readonly refunds: RefundRows,
    @Inject(apiConfig) private readonly config: ApiConfig,
  ) {}

  @Get()
  @describeOperation({
    id: 'getRefundReview',
    summary: 'Show the evidence about a refund: calls, lookups, attempts, decisions',
    tag: 'Payments',
    answers: { 200: refundReviewAnswer },
    problems: [401, 404, 503],
  })
  async show(@Caller() caller: ApiCaller, @Param('id') id: string): Promise<RefundReviewAnswer> {
    const row = await this.refunds.get(caller, id);
    const { status, review } = await this.evidence.ofStep(refundRecords, row);
    return { refundId: id, status, ...review };
  }

  @Post('decision')
  @HttpCode(200)
  @describeOperation({
    id: 'decideRefundReview',
    summary: 'Decide whether a refund was made',
    tag: 'Payments',
    isIdempotent: true,
    answers: { 200: refundDecisionAnswer, 202: refundDecisionAnswer },
    problems: [400, 401, 404, 409, 413, 415, 422, 503],
  })
  async decide(
    @Caller() caller: ApiCaller,
    @Param('id') id: string,
    @IdempotencyKey() idempotencyKey: string,
    @Body({ schema: refundDecisionRequest }) request: RefundDecisionRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RefundDecisionAnswer> {
    const { command, row: refund } = await this.commands.decide(caller, idempotencyKey, id, request);
    replyToCommand(reply, command, refundAddress(id, this.config));
    return {
      id: command.id,
      status: commandStatusOf(command),
      refund: viewRefund(refund, refund, this.config),
    };
  }
}
