import { Body, Controller, Get, HttpCode, Inject, Param, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { subscriptionRecords } from '#database/transitions';
import { type ApiConfig, apiConfig } from '../injected/api-config.js';
import { Caller } from '../auth/api-key.guard.js';
import type { Caller as ApiCaller } from '../auth/api-keys.js';
import { commandStatusOf, replyToCommand } from '../commands/command-reply.js';
import { IdempotencyKey } from '../commands/idempotency.js';
import { describeOperation } from '../openapi/describe-operation.js';
import { Evidence } from '../reviews/evidence.js';
import {
  type SubscriptionDecisionAnswer,
  type SubscriptionReviewAnswer,
  subscriptionDecisionAnswer,
  subscriptionReviewAnswer,
} from './subscription-review-answers.js';
import { SubscriptionCommands } from './subscription-commands.js';
import { type SubscriptionDecisionRequest, subscriptionDecisionRequest } from './subscription-requests.js';
import { SubscriptionRows } from '../rows/subscription-rows.js';
import { subscriptionAddress, viewSubscription } from './subscription-view.js';

/** The evidence and the decision of a review of a subscription. */
@Controller('v1/subscriptions/:id/review')
export class SubscriptionReviewController {
  constructor(
    @Inject(SubscriptionRows) private readonly rows: SubscriptionRows,
    @Inject(SubscriptionCommands) private readonly commands: SubscriptionCommands,
    @Inject(Evidence) private readonly evidence: Evidence,
    @Inject(apiConfig) private readonly config: ApiConfig,
  ) {}

  @Get()
  @describeOperation({
    id: 'getSubscriptionReview',
    summary: 'Show the evidence about a subscription: calls, lookups, attempts, decisions',
    tag: 'Subscriptions',
    needsApiKey: true,
    answers: { 200: subscriptionReviewAnswer },
    problems: [401, 404, 503],
  })
  async show(@Caller() caller: ApiCaller, @Param('id') id: string): Promise<SubscriptionReviewAnswer> {
    const row = await this.rows.get(caller, id);
    const { status, review } = await this.evidence.ofStep(subscriptionRecords, row);
    return { subscriptionId: id, state: status, ...review };
  }

  @Post('decision')
  @HttpCode(200)
  @describeOperation({
    id: 'decideSubscriptionReview',
    summary: 'Decide the review of a subscription',
    tag: 'Subscriptions',
    needsApiKey: true,
    isIdempotent: true,
    answers: { 200: subscriptionDecisionAnswer, 202: subscriptionDecisionAnswer },
    problems: [400, 401, 402, 404, 409, 413, 415, 422, 503],
  })
  async decide(
    @Caller() caller: ApiCaller,
    @Param('id') id: string,
    @IdempotencyKey() idempotencyKey: string,
    @Body({ schema: subscriptionDecisionRequest }) request: SubscriptionDecisionRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SubscriptionDecisionAnswer> {
    const { command, row } = await this.commands.decide(caller, idempotencyKey, id, request);
    replyToCommand(reply, command, subscriptionAddress(id, this.config));
    return {
      id: command.id,
      status: commandStatusOf(command),
      subscription: viewSubscription(row, this.config, Date.now()),
    };
  }
}
