import { Body, Controller, HttpCode, Inject, Param, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { type ApiConfig, apiConfig } from '../injected/api-config.js';
import { Caller } from '../auth/api-key.guard.js';
import type { Caller as ApiCaller } from '../auth/api-keys.js';
import { replyToOrder } from '../commands/command-reply.js';
import { describeOperation } from '../openapi/describe-operation.js';
import { type PaymentAnswer, paymentAnswer } from '../payments/payment-answers.js';
import { paymentAddress, viewPayment } from '../payments/payment-view.js';
import { type PayoutAnswer, payoutAnswer } from '../payouts/payout-answers.js';
import { payoutAddress, viewPayout } from '../payouts/payout-view.js';
import { type PlanAnswer, planAddress, planAnswer, viewPlan } from '../plans/plan-answers.js';
import { type ShownRefund, shownRefund } from '../refunds/refund-answers.js';
import { refundAddress, viewRefund } from '../refunds/refund-view.js';
import {
  type SubscriptionAnswer,
  subscriptionAddress,
  subscriptionAnswer,
  viewSubscription,
} from '../subscriptions/subscription-view.js';
import type { Checked } from './checks.js';
import { SubjectChecks } from './subject-checks.js';
import { body } from '../wire/fields.js';

/** Body of POST …/check: nothing, or an empty object. */
const checkRequest = z.strictObject({}).meta(body('CheckRequest', {})).optional();

const description =
  'Moves no money and can be repeated at any time. 200: the provider has been asked since the request (the items of a large payout: all of them), or a call that was under way has been answered, or there is nothing to ask now, because everything has ended or the provider must not be called before `nextCheckAt`. 202: the provider is being asked.';

function check(answer: z.ZodType, what: string, tag: 'Payments' | 'Payouts' | 'Plans' | 'Subscriptions') {
  return describeOperation({
    id: `check${what[0]?.toUpperCase()}${what.slice(1)}`,
    summary: `Ask the provider now for the state of a ${what}`,
    description,
    tag,
    needsApiKey: true,
    answers: { 200: answer, 202: answer },
    problems: [400, 401, 404, 413, 415, 422, 503],
  });
}

/** "Check now", for callers who do not want to wait for the run's next poll. */
@Controller('v1')
export class ChecksController {
  constructor(
    @Inject(SubjectChecks) private readonly checks: SubjectChecks,
    @Inject(apiConfig) private readonly config: ApiConfig,
  ) {}

  @Post('payments/:id/check')
  @HttpCode(200)
  @check(paymentAnswer, 'payment', 'Payments')
  async payment(
    @Caller() caller: ApiCaller,
    @Param('id') id: string,
    @Body({ schema: checkRequest }) _nothing: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PaymentAnswer> {
    const checked = await this.checks.payment(caller, id);
    return viewPayment(replyTo(reply, checked, paymentAddress(id, this.config)), this.config, Date.now());
  }

  @Post('refunds/:id/check')
  @HttpCode(200)
  @check(shownRefund, 'refund', 'Payments')
  async refund(
    @Caller() caller: ApiCaller,
    @Param('id') id: string,
    @Body({ schema: checkRequest }) _nothing: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ShownRefund> {
    const checked = await this.checks.refund(caller, id);
    const refund = replyTo(reply, checked, refundAddress(id, this.config));
    return viewRefund(refund, refund, this.config);
  }

  @Post('subscriptions/:id/check')
  @HttpCode(200)
  @check(subscriptionAnswer, 'subscription', 'Subscriptions')
  async subscription(
    @Caller() caller: ApiCaller,
    @Param('id') id: string,
    @Body({ schema: checkRequest }) _nothing: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SubscriptionAnswer> {
    const checked = await this.checks.subscription(caller, id);
    const row = replyTo(reply, checked, subscriptionAddress(id, this.config));
    return viewSubscription(row, this.config, Date.now());
  }

  @Post('plans/:id/check')
  @HttpCode(200)
  @check(planAnswer, 'plan', 'Plans')
  async plan(
    @Caller() caller: ApiCaller,
    @Param('id') id: string,
    @Body({ schema: checkRequest }) _nothing: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PlanAnswer> {
    const checked = await this.checks.plan(caller, id);
    return viewPlan(replyTo(reply, checked, planAddress(id, this.config)), this.config);
  }

  @Post('payouts/:id/check')
  @HttpCode(200)
  @check(payoutAnswer, 'payout', 'Payouts')
  async payout(
    @Caller() caller: ApiCaller,
    @Param('id') id: string,
    @Body({ schema: checkRequest }) _nothing: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PayoutAnswer> {
    const checked = await this.checks.payout(caller, id);
    return viewPayout(replyTo(reply, checked, payoutAddress(id, this.config)), this.config);
  }
}

function replyTo<Row>(reply: FastifyReply, { row, isDone }: Checked<Row>, address: string): Row {
  replyToOrder(reply, address, { isUnderWay: !isDone });
  return row;
}
