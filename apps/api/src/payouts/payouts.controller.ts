import { Body, Controller, Get, HttpCode, Inject, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '../../../../libs/database/src/database.js';
import { listTimeline } from '../../../../libs/database/src/timeline.js';
import { isTerminal } from '../../../../libs/workflows/src/lifecycle/payout/payout.js';
import { type ApiConfig, apiConfig } from '../api-config.js';
import { Caller } from '../auth/api-key.guard.js';
import type { Caller as ApiCaller } from '../auth/api-keys.js';
import { Changes } from '../commands/changes.js';
import { isFinal } from '../commands/commands.js';
import { IdempotencyKey } from '../commands/idempotency.js';
import { databaseToken } from '../database-token.js';
import { describeOperation } from '../openapi/describe-operation.js';
import { type TimelineAnswer, timelineAnswer } from '../payments/payment-answers.js';
import { OrderPayout } from './order-payout.js';
import {
  type PayoutAnswer,
  type PayoutDecisionAnswer,
  type PayoutListAnswer,
  payoutAnswer,
  payoutDecisionAnswer,
  payoutListAnswer,
} from './payout-answers.js';
import { PayoutCommands } from './payout-commands.js';
import { writePayoutCursor } from './payout-cursors.js';
import {
  type PayoutDecisionRequest,
  type PayoutListQuery,
  type PayoutQuery,
  type PayoutRequest,
  payoutDecisionRequest,
  payoutListQuery,
  payoutQuery,
  payoutRequest,
} from './payout-requests.js';
import { PayoutRows } from './payout-rows.js';
import { payoutAddress, viewPayout } from './payout-view.js';

@Controller('v1/payouts')
export class PayoutsController {
  constructor(
    @Inject(databaseToken) private readonly db: Database,
    @Inject(OrderPayout) private readonly orders: OrderPayout,
    @Inject(PayoutRows) private readonly rows: PayoutRows,
    @Inject(PayoutCommands) private readonly commands: PayoutCommands,
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
    void reply.header('location', payoutAddress(payout.id, this.config));
    if (payout.status === 'creating') void reply.status(202).header('retry-after', '1');
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
    const { rows, hasMore } = await this.rows.list(caller, query);
    const last = rows.at(-1);
    return {
      payouts: rows.map((row) => viewPayout(row, this.config)),
      nextCursor: hasMore && last ? writePayoutCursor(last.id) : null,
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
    @Query({ schema: payoutQuery }) { wait = 0, since }: PayoutQuery,
    @Req() { signal }: FastifyRequest,
  ): Promise<PayoutAnswer> {
    const first = await this.rows.get(caller, id);
    const seenVersion = since ?? first.version;
    const payout = await this.changes.until(id, wait * 1_000, {
      look: () => this.rows.get(caller, id),
      satisfies: ({ version, status }) => version > seenVersion || isTerminal(status),
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
    const entries = await listTimeline(this.db, payout.id);
    return {
      entries: entries.map(({ from_status, to_status, at, command_id, ...entry }) => ({
        ...entry,
        from: from_status,
        to: to_status,
        at: at.toISOString(),
        commandId: command_id,
      })),
    };
  }

  @Post(':id/review/decision')
  @HttpCode(200)
  @describeOperation({
    summary: 'Decide what is under review of a payout',
    tag: 'Payouts',
    isIdempotent: true,
    answers: { 200: payoutDecisionAnswer, 202: payoutDecisionAnswer },
    problems: [400, 401, 404, 409, 413, 415, 422, 503],
  })
  async decide(
    @Caller() caller: ApiCaller,
    @Param('id') id: string,
    @IdempotencyKey() idempotencyKey: string,
    @Body({ schema: payoutDecisionRequest }) request: PayoutDecisionRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PayoutDecisionAnswer> {
    const { command, row } = await this.commands.decide(caller, idempotencyKey, id, request);
    if (!isFinal(command)) {
      void reply.status(202).header('retry-after', '1').header('location', payoutAddress(id, this.config));
    }
    return {
      id: command.id,
      status: command.status === 'accepted' || command.status === 'executing' ? command.status : 'succeeded',
      payout: viewPayout(row, this.config),
    };
  }
}
