import { Inject, Injectable } from '@nestjs/common';
import type { PayoutView } from '#database/subjects';
import type { CommandResult, PayoutItemRow } from '#database/schema';
import { type Refusal, refusalIn } from '#workflows/lifecycle';
import { type PayoutEvent, isTerminal, transition } from '#workflows/lifecycle/payout';
import type { Caller } from '../auth/api-keys.js';
import { type CommandAnswer, CommandSender } from '../commands/command-sender.js';
import { bodyHash } from '../commands/idempotency.js';
import { Problem } from '../problems/problem.js';
import type { PayoutDecisionRequest } from './payout-requests.js';
import { PayoutRows } from '../rows/payout-rows.js';
import { decisionCommand } from '../reviews/decision.js';

/** A payout and its item that is to be cancelled. */
export interface PayoutWithItem extends PayoutView {
  readonly item: PayoutItemRow;
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
        refusalOf: ({ state }, event) =>
          item.status === 'unclaimed' && providerItemId !== '' ? refusalOf(state, event) : notUnclaimed(item),
        hasEnded: ({ status }) => isTerminal(status),
        problemOf: ({ item: seen }, kind, result) => problemOf(kind, id, result, seen.status),
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
        refusalOf: ({ state }, event) => refusalOf(state, event),
        hasEnded: ({ status }) => isTerminal(status),
        problemOf: ({ status }, kind, result) => problemOf(kind, id, result, status),
      },
    );
  }
}

function refusalOf(state: PayoutView['state'], event: CommandEvent): Refusal | undefined {
  return refusalIn(transition(state, event, Date.now()));
}

function notUnclaimed({ status }: PayoutItemRow): Refusal {
  return {
    code: 'item_not_unclaimed',
    reason: `Only an unclaimed item can be cancelled; this one is ${status}.`,
  };
}

/** @param currentState of the item that was to be cancelled, otherwise of the payout. */
function problemOf(
  kind: 'refused' | 'failed',
  payoutId: string,
  { code, reason }: Partial<CommandResult>,
  currentState: string,
): Problem {
  return new Problem(kind === 'refused' ? 'conflict' : 'payment-declined', {
    ...(code !== undefined && { code }),
    ...(reason !== undefined && { detail: reason }),
    currentState,
    payoutId,
  });
}
