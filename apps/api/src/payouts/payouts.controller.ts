import { Body, Controller, Get, Inject, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '#database/connection';
import { listTimeline } from '#database/transitions';
import { isTerminal } from '#workflows/lifecycle/payout';
import { type ApiConfig, apiConfig } from '../api-config.js';
import { Caller } from '../auth/api-key.guard.js';
import type { Caller as ApiCaller } from '../auth/api-keys.js';
import { Changes } from '../commands/changes.js';
import { IdempotencyKey } from '../commands/idempotency.js';
import { databaseToken } from '../database-token.js';
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
  payoutCursor,
} from './payout-requests.js';
import { PayoutRows } from './payout-rows.js';
import { payoutAddress, viewPayout } from './payout-view.js';
import { replyToOrder } from '../commands/command-reply.js';
import { nextCursor } from '../wire/pages.js';
import { nextChangeQuery, type NextChangeQuery } from '../wire/fields.js';
import { viewTimeline, timelineAnswer, type TimelineAnswer } from '../wire/timeline.js';

@Controller('v1/payouts')
export class PayoutsController {
  constructor(
    @Inject(databaseToken) private readonly db: Database,
    @Inject(OrderPayout) private readonly orders: OrderPayout,
    @Inject(PayoutRows) private readonly rows: PayoutRows,
    @Inject(Changes) private readonly changes: Changes,
    @Inject(apiConfig) private readonly config: ApiConfig,
  ) {}

  @Post()
  @describeOperation({
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
    summary: 'List payouts, newest first',
    tag: 'Payouts',
    answers: { 200: payoutListAnswer },
    problems: [401, 422, 503],
  })
  async list(
    @Caller() caller: ApiCaller,
    @Query({ schema: payoutListQuery }) query: PayoutListQuery,
  ): Promise<PayoutListAnswer> {
    const page = await this.rows.list(caller, query);
    return {
      payouts: page.rows.map((row) => viewPayout(row, this.config)),
      nextCursor: nextCursor(page, payoutCursor, ({ id }) => id),
    };
  }

  @Get(':id')
  @describeOperation({
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
    const payout = await this.changes.next(query, {
      look: () => this.rows.get(caller, id),
      versionOf: (row) => row.shown_version,
      isAtRest: ({ status }) => isTerminal(status),
      signal,
    });
    return viewPayout(payout, this.config);
  }

  @Get(':id/timeline')
  @describeOperation({
    summary: 'Tell what happened to a payout',
    tag: 'Payouts',
    answers: { 200: timelineAnswer },
    problems: [401, 404, 503],
  })
  async timeline(@Caller() caller: ApiCaller, @Param('id') id: string): Promise<TimelineAnswer> {
    const payout = await this.rows.get(caller, id);
    return viewTimeline(await listTimeline(this.db, payout.id));
  }
}
