import { Body, Controller, Get, HttpCode, Inject, Param, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { payoutRecords } from '#database/transitions';
import { type ApiConfig, apiConfig } from '../injected/api-config.js';
import { Caller } from '../auth/api-key.guard.js';
import type { Caller as ApiCaller } from '../auth/api-keys.js';
import { commandStatusOf, replyToCommand } from '../commands/command-reply.js';
import { IdempotencyKey } from '../commands/idempotency.js';
import { describeOperation } from '../openapi/describe-operation.js';
import { Evidence } from '../reviews/evidence.js';
import {
  type PayoutDecisionAnswer,
  type PayoutReviewAnswer,
  payoutDecisionAnswer,
  payoutReviewAnswer,
} from './payout-answers.js';
import { PayoutCommands } from './payout-commands.js';
import { type PayoutDecisionRequest, payoutDecisionRequest } from './payout-requests.js';
import { PayoutRows } from '../rows/payout-rows.js';
import { payoutAddress, viewPayout } from './payout-view.js';

/** The evidence and the decision of a review of a payout. */
@Controller('v1/payouts/:id/review')
export class PayoutReviewController {
  constructor(
    @Inject(PayoutRows) private readonly rows: PayoutRows,
    @Inject(PayoutCommands) private readonly commands: PayoutCommands,
    @Inject(Evidence) private readonly evidence: Evidence,
    @Inject(apiConfig) private readonly config: ApiConfig,
  ) {}

  @Get()
  @describeOperation({
    id: 'getPayoutReview',
    summary: 'Show the evidence about a payout: calls, lookups, attempts, decisions',
    tag: 'Payouts',
    answers: { 200: payoutReviewAnswer },
    problems: [401, 404, 503],
  })
  async show(@Caller() caller: ApiCaller, @Param('id') id: string): Promise<PayoutReviewAnswer> {
    const row = await this.rows.get(caller, id);
    const { status, review } = await this.evidence.ofStep(payoutRecords, row);
    return { payoutId: id, state: status, ...review };
  }

  @Post('decision')
  @HttpCode(200)
  @describeOperation({
    id: 'decidePayoutReview',
    summary: 'Decide the review of a payout',
    tag: 'Payouts',
    isIdempotent: true,
    answers: { 200: payoutDecisionAnswer, 202: payoutDecisionAnswer },
    problems: [400, 401, 402, 404, 409, 413, 415, 422, 503],
  })
  async decide(
    @Caller() caller: ApiCaller,
    @Param('id') id: string,
    @IdempotencyKey() idempotencyKey: string,
    @Body({ schema: payoutDecisionRequest }) request: PayoutDecisionRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PayoutDecisionAnswer> {
    const { command, row } = await this.commands.decide(caller, idempotencyKey, id, request);
    replyToCommand(reply, command, payoutAddress(id, this.config));
    return { id: command.id, status: commandStatusOf(command), payout: viewPayout(row, this.config) };
  }
}
