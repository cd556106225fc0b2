import { Body, Controller, Get, HttpCode, Inject, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AllowedAction } from '#workflows/lifecycle/subscription';
import { type ApiConfig, apiConfig } from '../injected/api-config.js';
import { Caller } from '../auth/api-key.guard.js';
import type { Caller as ApiCaller } from '../auth/api-keys.js';
import { IdempotencyKey } from '../commands/idempotency.js';
import { describeOperation } from '../openapi/describe-operation.js';
import { OrderSubscription } from './order-subscription.js';
import { SubscriptionCommands } from './subscription-commands.js';
import {
  type ChangeRequest,
  type PaymentListQuery,
  type SubscriptionListQuery,
  type SubscriptionOrderRequest,
  changeRequest,
  paymentListQuery,
  subscriptionListQuery,
  subscriptionOrderRequest,
} from './subscription-requests.js';
import { SubscriptionRows } from '../rows/subscription-rows.js';
import {
  type SubscriptionAnswer,
  type SubscriptionListAnswer,
  type SubscriptionPaymentsAnswer,
  subscriptionAddress,
  subscriptionAnswer,
  subscriptionListAnswer,
  subscriptionPaymentsAnswer,
  viewPayments,
  viewSubscription,
} from './subscription-view.js';
import { replyToOrder, replyToCommand } from '../commands/command-reply.js';
import { nextChangeQuery, type NextChangeQuery } from '../wire/fields.js';
import { viewTimeline, timelineAnswer, type TimelineAnswer } from '../wire/timeline.js';

const ofSubscriptions = { tag: 'Subscriptions', needsApiKey: true } as const;

const change = {
  ...ofSubscriptions,
  isIdempotent: true,
  answers: { 200: subscriptionAnswer, 202: subscriptionAnswer },
  problems: [400, 401, 402, 404, 409, 413, 415, 422, 503],
} as const;

@Controller('v1/subscriptions')
export class SubscriptionsController {
  constructor(
    @Inject(OrderSubscription) private readonly orders: OrderSubscription,
    @Inject(SubscriptionCommands) private readonly commands: SubscriptionCommands,
    @Inject(SubscriptionRows) private readonly rows: SubscriptionRows,
    @Inject(apiConfig) private readonly config: ApiConfig,
  ) {}

  @Post()
  @describeOperation({
    id: 'orderSubscription',
    ...ofSubscriptions,
    summary: 'Order a subscription to a plan',
    isIdempotent: true,
    answers: { 201: subscriptionAnswer, 202: subscriptionAnswer },
    problems: [400, 401, 409, 413, 415, 422, 503],
  })
  async order(
    @Caller() caller: ApiCaller,
    @IdempotencyKey() idempotencyKey: string,
    @Body({ schema: subscriptionOrderRequest }) request: SubscriptionOrderRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SubscriptionAnswer> {
    const row = await this.orders.order(caller, idempotencyKey, request);
    replyToOrder(reply, subscriptionAddress(row.id, this.config), { isUnderWay: row.status === 'creating' });
    return viewSubscription(row, this.config, Date.now());
  }

  @Get()
  @describeOperation({
    id: 'listSubscriptions',
    ...ofSubscriptions,
    summary: 'List subscriptions, newest first',
    answers: { 200: subscriptionListAnswer },
    problems: [401, 422, 503],
  })
  async list(
    @Caller() caller: ApiCaller,
    @Query({ schema: subscriptionListQuery }) query: SubscriptionListQuery,
  ): Promise<SubscriptionListAnswer> {
    const { rows, nextCursor } = await this.rows.list(caller, query);
    const now = Date.now();
    return {
      subscriptions: rows.map((row) => viewSubscription(row, this.config, now)),
      nextCursor,
    };
  }

  @Get(':id')
  @describeOperation({
    id: 'getSubscription',
    ...ofSubscriptions,
    summary: 'Show a subscription, now or at its next change',
    answers: { 200: subscriptionAnswer },
    problems: [401, 404, 422, 503],
  })
  async show(
    @Caller() caller: ApiCaller,
    @Param('id') id: string,
    @Query({ schema: nextChangeQuery }) query: NextChangeQuery,
    @Req() { signal }: FastifyRequest,
  ): Promise<SubscriptionAnswer> {
    const row = await this.rows.next(caller, id, query, signal);
    return viewSubscription(row, this.config, Date.now());
  }

  @Get(':id/payments')
  @describeOperation({
    id: 'listSubscriptionPayments',
    ...ofSubscriptions,
    summary: 'List the payments of a subscription, oldest first',
    answers: { 200: subscriptionPaymentsAnswer },
    problems: [401, 404, 422, 503],
  })
  async payments(
    @Caller() caller: ApiCaller,
    @Param('id') id: string,
    @Query({ schema: paymentListQuery }) { limit, after }: PaymentListQuery,
  ): Promise<SubscriptionPaymentsAnswer> {
    const since = after === undefined ? undefined : new Date(after);
    return viewPayments(await this.rows.payments(caller, id, { after: since, limit }));
  }

  @Get(':id/timeline')
  @describeOperation({
    id: 'getSubscriptionTimeline',
    ...ofSubscriptions,
    summary: 'Show the timeline of a subscription',
    answers: { 200: timelineAnswer },
    problems: [401, 404, 503],
  })
  async timeline(@Caller() caller: ApiCaller, @Param('id') id: string): Promise<TimelineAnswer> {
    return viewTimeline(await this.rows.timeline(caller, id));
  }

  @Post(':id/suspend')
  @HttpCode(200)
  @describeOperation({
    ...change,
    id: 'suspendSubscription',
    summary: 'Suspend a subscription until it is reactivated',
  })
  async suspend(
    @Caller() caller: ApiCaller,
    @Param('id') id: string,
    @IdempotencyKey() key: string,
    @Body({ schema: changeRequest }) request: ChangeRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SubscriptionAnswer> {
    return await this.change('suspend', caller, { id, idempotencyKey: key, request }, reply);
  }

  @Post(':id/reactivate')
  @HttpCode(200)
  @describeOperation({
    ...change,
    id: 'reactivateSubscription',
    summary: 'Reactivate a subscription from its next cycle on',
  })
  async reactivate(
    @Caller() caller: ApiCaller,
    @Param('id') id: string,
    @IdempotencyKey() key: string,
    @Body({ schema: changeRequest }) request: ChangeRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SubscriptionAnswer> {
    return await this.change('reactivate', caller, { id, idempotencyKey: key, request }, reply);
  }

  @Post(':id/cancel')
  @HttpCode(200)
  @describeOperation({ ...change, id: 'cancelSubscription', summary: 'Cancel a subscription for good' })
  async cancel(
    @Caller() caller: ApiCaller,
    @Param('id') id: string,
    @IdempotencyKey() key: string,
    @Body({ schema: changeRequest }) request: ChangeRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SubscriptionAnswer> {
    return await this.change('cancel', caller, { id, idempotencyKey: key, request }, reply);
  }

  private async change(
    action: AllowedAction,
    caller: ApiCaller,
    asked: { id: string; idempotencyKey: string; request: ChangeRequest },
    reply: FastifyReply,
  ): Promise<SubscriptionAnswer> {
    const { command, row } = await this.commands.change(caller, action, asked);
    replyToCommand(reply, command, subscriptionAddress(row.id, this.config));
    return viewSubscription(row, this.config, Date.now());
  }
}
