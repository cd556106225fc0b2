import { Inject, Injectable } from '@nestjs/common';
import type { RefundRow } from '#database/schema';
import type { RefundWithTimeline } from '#database/subjects';
import { refusalIn } from '#workflows/lifecycle';
import { isRefundTerminal, transitionRefund } from '#workflows/lifecycle/refund';
import type { Caller } from '../auth/api-keys.js';
import { type CommandAnswer, CommandSender } from '../commands/command-sender.js';
import { decisionCommand } from '../reviews/decision.js';
import { RefundRows } from '../rows/refund-rows.js';
import { problemOfDecision } from './refund-problems.js';
import type { RefundDecisionRequest } from './refund-requests.js';

/** The commands for refunds. */
@Injectable()
export class RefundCommands {
  constructor(
    @Inject(CommandSender) private readonly commands: CommandSender,
    @Inject(RefundRows) private readonly rows: RefundRows,
  ) {}

  /** Decides a review. See `CommandSender.send`. */
  async decide(
    caller: Caller,
    idempotencyKey: string,
    id: string,
    request: RefundDecisionRequest,
  ): Promise<CommandAnswer<RefundRow & RefundWithTimeline>> {
    return await this.commands.send(caller, decisionCommand(id, idempotencyKey, request), {
      read: () => this.rows.get(caller, id),
      refusalOf: ({ state }, event) => refusalIn(transitionRefund(state, event, Date.now())),
      hasEnded: ({ status }) => isRefundTerminal(status),
      problemOf: (row, _kind, result) => problemOfDecision(row, result),
    });
  }
}
