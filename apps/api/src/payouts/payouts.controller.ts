import { Body, Controller, Get, Inject, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ApiConfig, apiConfig } from '../injected/api-config.js';
import { Caller } from '../auth/api-key.guard.js';
import type { Caller as ApiCaller } from '../auth/api-keys.js';
import { IdempotencyKey } from '../commands/idempotency.js';
import { describeOperation } from '../openapi/describe-operation.js';
import { OrderPayout } from './order-payout.js';
import {
  type PayoutAnswer,
  type PayoutListAnswer,
  payoutAnswer,
  payoutListAnswer,
} from './payout-answers.js';
import {
  type PayoutListQuery,
  type PayoutRequest,
  payoutListQuery,
  payoutRequest,
} from './payout-requests.js';
import { PayoutRows } from '../rows/payout-rows.js';
import { payoutAddress, viewPayout } from './payout-view.js';
import { replyToOrder } from '../commands/command-reply.js';
import { nextChangeQuery, type NextChangeQuery } from '../wire/fields.js';
import { viewTimeline, timelineAnswer, type TimelineAnswer } from '../wire/timeline.js';

@Controller('v1/payouts')
export class PayoutsController {
  constructor(
    @Inject(OrderPayout) private readonly orders: OrderPayout,
    @Inject(PayoutRows) private readonly rows: PayoutRows,
    @Inject(apiConfig) private readonly config: ApiConfig,
  ) {}

  @Post()
  @describeOperation({
    id: 'orderPayout',
    summary: 'Pay out to many receivers in one batch',
    tag: 'Payouts',
    isIdempotent: true,
    answers: { 201: payoutAnswer, 202: payoutAnswer },
    problems: [400, 401, 409, 413, 415, 422, 503],
  })
  async order(
    @Caller() caller: ApiCaller,
    @IdempotencyKey() idempotencyKey: string,
    @Body({ schema: payoutRequest }) request: PayoutRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PayoutAnswer> {
    const payout = await this.orders.order(caller, idempotencyKey, request);
    replyToOrder(reply, payoutAddress(payout.id, this.config), { isUnderWay: payout.status === 'creating' });
    return viewPayout(payout, this.config);
  }

  @Get()
  @describeOperation({
    id: 'listPayouts',
    summary: 'List payouts, newest first',
    tag: 'Payouts',
    answers: { 200: payoutListAnswer },
    problems: [401, 422, 503],
  })
  async list(
    @Caller() caller: ApiCaller,
    @Query({ schema: payoutListQuery }) query: PayoutListQuery,
  ): Promise<PayoutListAnswer> {
    const { rows, nextCursor } = await this.rows.list(caller, query);
    return {
      payouts: rows.map((row) => viewPayout(row, this.config)),
      nextCursor,
    };
  }

  @Get(':id')
  @describeOperation({
    id: 'getPayout',
    summary: 'Show a payout with the totals of its items, now or at its next change',
    tag: 'Payouts',
    answers: { 200: payoutAnswer },
    problems: [401, 404, 422, 503],
  })
  async show(
    @Caller() caller: ApiCaller,
    @Param('id') id: string,
    @Query({ schema: nextChangeQuery }) query: NextChangeQuery,
    @Req() { signal }: FastifyRequest,
  ): Promise<PayoutAnswer> {
    const payout = await this.rows.next(caller, id, query, signal);
    return viewPayout(payout, this.config);
  }

  @Get(':id/timeline')
  @describeOperation({
    id: 'getPayoutTimeline',
    summary: 'Show the timeline of a payout',
    tag: 'Payouts',
    answers: { 200: timelineAnswer },
    problems: [401, 404, 503],
  })
  async timeline(@Caller() caller: ApiCaller, @Param('id') id: string): Promise<TimelineAnswer> {
    return viewTimeline(await this.rows.timeline(caller, id));
  }
}
