import { Inject, Injectable } from '@nestjs/common';
import type { PlanView } from '#database/subjects';
import { refusalIn } from '#workflows/lifecycle';
import { type PlanEvent, isTerminal, transition } from '#workflows/lifecycle/plan';
import type { Caller } from '../auth/api-keys.js';
import { type CommandAnswer, CommandSender } from '../commands/command-sender.js';
import { bodyHash } from '../commands/idempotency.js';
import { Problem } from '../problems/problem.js';
import { PlanRows } from '../rows/plan-rows.js';
import { allowedActionsOf } from './plan-answers.js';

type CommandEvent = Extract<PlanEvent, { readonly type: 'deactivateRequested' }>;

/** The commands for plans. */
@Injectable()
export class PlanCommands {
  constructor(
    @Inject(CommandSender) private readonly commands: CommandSender,
    @Inject(PlanRows) private readonly rows: PlanRows,
  ) {}

  /** Takes no subscriptions any more. See `CommandSender.send`. */
  async deactivate(caller: Caller, id: string, idempotencyKey: string): Promise<CommandAnswer<PlanView>> {
    const request = {
      kind: 'deactivate',
      subjectId: id,
      idempotencyKey,
      bodyHash: bodyHash({}),
      parameters: {},
      event: (commandId: string): CommandEvent => ({ type: 'deactivateRequested', commandId }),
    } as const;
    return await this.commands.send<PlanView, CommandEvent>(caller, request, {
      read: () => this.rows.get(caller, id),
      refusalOf: ({ state }, event) => refusalIn(transition(state, event, Date.now())),
      hasEnded: ({ status }) => isTerminal(status),
      problemOf: (row, kind, { code = 'provider_refused', reason }) =>
        new Problem(kind === 'refused' ? 'conflict' : 'payment-declined', {
          code,
          ...(reason !== undefined && { detail: reason }),
          currentState: row.status,
          allowedActions: allowedActionsOf(row),
          planId: row.id,
        }),
    });
  }
}
