import { Inject, Injectable } from '@nestjs/common';
import type { PayoutView } from '#database/subjects';
import type { CommandResult } from '#database/schema';
import { refusalIn } from '#workflows/lifecycle';
import { type PayoutEvent, isTerminal, transition } from '#workflows/lifecycle/payout';
import type { Caller } from '../auth/api-keys.js';
import { type CommandAnswer, CommandSender } from '../commands/command-sender.js';
import { bodyHash } from '../commands/idempotency.js';
import { commonActions } from '../wire/links.js';
import { Problem } from '../problems/problem.js';
import { itemActions, refusalOfCancellation } from './item-cancellation.js';
import type { PayoutDecisionRequest } from './payout-requests.js';
import { type ItemOfPayout, PayoutRows } from '../rows/payout-rows.js';
import { decisionCommand } from '../reviews/decision.js';

/** A payout and its item that is to be cancelled. */
export interface PayoutWithItem extends PayoutView {
  readonly item: ItemOfPayout;
}

type CommandEvent = Extract<PayoutEvent, { type: 'itemCancelRequested' | 'reviewDecided' }>;

/** The commands for ordered payouts. */
@Injectable()
export class PayoutCommands {
  constructor(
    @Inject(CommandSender) private readonly commands: CommandSender,
    @Inject(PayoutRows) private readonly rows: PayoutRows,
  ) {}

  /** Cancels an unclaimed item. See `CommandSender.send`. */
  async cancelItem(
    caller: Caller,
    idempotencyKey: string,
    id: string,
    itemId: string,
  ): Promise<CommandAnswer<PayoutWithItem>> {
    const item = await this.rows.getItem(caller, id, itemId);
    const providerItemId = item.provider_item_id ?? '';
    const parameters = { itemId, providerItemId };
    return await this.commands.send<PayoutWithItem, CommandEvent>(
      caller,
      {
        kind: 'cancelItem',
        subjectId: id,
        idempotencyKey,
        bodyHash: bodyHash({ itemId }),
        parameters,
        event: (commandId) => ({ type: 'itemCancelRequested', commandId, ...parameters }),
      },
      {
        read: async () => ({
          ...(await this.rows.get(caller, id)),
          item: await this.rows.getItem(caller, id, itemId),
        }),
        // The item that the parameters come from: a later read may show an id that they do not have.
        refusalOf: (payout) => refusalOfCancellation(item, payout, Date.now()),
        hasEnded: ({ status }) => isTerminal(status),
        problemOf: ({ item: seen }, kind, result) =>
          problemOf(kind, id, result, {
            currentState: seen.status,
            allowedActions: itemActions(seen, seen.payout, Date.now()),
          }),
      },
    );
  }

  /** Decides a review. See `CommandSender.send`. */
  async decide(
    caller: Caller,
    idempotencyKey: string,
    id: string,
    request: PayoutDecisionRequest,
  ): Promise<CommandAnswer<PayoutView>> {
    return await this.commands.send<PayoutView, CommandEvent>(
      caller,
      decisionCommand(id, idempotencyKey, request),
      {
        read: () => this.rows.get(caller, id),
        refusalOf: ({ state }, event) => refusalIn(transition(state, event, Date.now())),
        hasEnded: ({ status }) => isTerminal(status),
        problemOf: (row, kind, result) =>
          problemOf(kind, id, result, { currentState: row.status, allowedActions: commonActions(row) }),
      },
    );
  }
}

/** @param situation of the item that was to be cancelled, otherwise of the payout. */
function problemOf(
  kind: 'refused' | 'failed',
  payoutId: string,
  { code, reason }: Partial<CommandResult>,
  situation: { readonly currentState: string; readonly allowedActions: readonly string[] },
): Problem {
  return new Problem(kind === 'refused' ? 'conflict' : 'payment-declined', {
    ...(code !== undefined && { code }),
    ...(reason !== undefined && { detail: reason }),
    ...situation,
    payoutId,
  });
}
