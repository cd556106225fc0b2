import { Body, Controller, Get, HttpCode, Inject, Param, Post, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { type ApiConfig, apiConfig } from '../injected/api-config.js';
import { Caller } from '../auth/api-key.guard.js';
import type { Caller as ApiCaller } from '../auth/api-keys.js';
import { IdempotencyKey } from '../commands/idempotency.js';
import { describeOperation } from '../openapi/describe-operation.js';
import {
  type ItemCancelAnswer,
  type PayoutItemListAnswer,
  itemCancelAnswer,
  payoutItemListAnswer,
} from './payout-answers.js';
import { PayoutCommands } from './payout-commands.js';
import { nextCursor, positionCursor } from '../wire/pages.js';
import { type PayoutItemsQuery, itemCancelRequest, payoutItemsQuery } from './payout-requests.js';
import { PayoutRows } from '../rows/payout-rows.js';
import { viewPayoutItem } from './payout-view.js';
import { replyToCommand, commandStatusOf } from '../commands/command-reply.js';
import { subjectAddress } from '../wire/links.js';

/** The items of a payout. */
@Controller('v1/payouts/:id/items')
export class PayoutItemsController {
  constructor(
    @Inject(PayoutRows) private readonly rows: PayoutRows,
    @Inject(PayoutCommands) private readonly commands: PayoutCommands,
    @Inject(apiConfig) private readonly config: ApiConfig,
  ) {}

  @Get()
  @describeOperation({
    id: 'listPayoutItems',
    summary: 'List the items of a payout, in the order in which they were sent',
    tag: 'Payouts',
    answers: { 200: payoutItemListAnswer },
    problems: [401, 404, 422, 503],
  })
  async list(
    @Caller() caller: ApiCaller,
    @Param('id') id: string,
    @Query({ schema: payoutItemsQuery }) query: PayoutItemsQuery,
  ): Promise<PayoutItemListAnswer> {
    const page = await this.rows.listItems(caller, id, query);
    const now = Date.now();
    return {
      data: page.rows.map((row) => viewPayoutItem(row, now)),
      nextCursor: nextCursor(page, positionCursor, ({ position }) => position),
    };
  }

  @Post(':itemId/cancel')
  @HttpCode(200)
  @describeOperation({
    id: 'cancelPayoutItem',
    summary: 'Cancel an unclaimed item',
    tag: 'Payouts',
    isIdempotent: true,
    answers: { 200: itemCancelAnswer, 202: itemCancelAnswer },
    problems: [400, 401, 402, 404, 409, 413, 415, 422, 503],
  })
  async cancel(
    @Caller() caller: ApiCaller,
    @Param('id') id: string,
    @Param('itemId') itemId: string,
    @IdempotencyKey() idempotencyKey: string,
    @Body({ schema: itemCancelRequest }) _nothing: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ItemCancelAnswer> {
    const { command, row } = await this.commands.cancelItem(caller, idempotencyKey, id, itemId);
    replyToCommand(reply, command, subjectAddress('payout', id, this.config));
    return {
      id: command.id,
      state: commandStatusOf(command),
      item: viewPayoutItem(row.item, Date.now()),
    };
  }
}
