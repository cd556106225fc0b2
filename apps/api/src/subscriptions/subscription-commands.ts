import { Inject, Injectable } from '@nestjs/common';
import type { SubscriptionView } from '#database/subjects';
import { withoutEmails } from '#database/text';
import {
  type SubscriptionEvent,
  isTerminal,
  type AllowedAction,
  allowedActions,
  transition,
} from '#workflows/lifecycle/subscription';
import type { Caller } from '../auth/api-keys.js';
import { decisionCommand } from '../reviews/decision.js';
import { type CommandAnswer, type CommandRequest, CommandSender } from '../commands/command-sender.js';
import { bodyHash } from '../commands/idempotency.js';
import { Problem } from '../problems/problem.js';
import type { ChangeRequest, SubscriptionDecisionRequest } from './subscription-requests.js';
import { SubscriptionRows } from '../rows/subscription-rows.js';
import { refusalIn } from '#workflows/lifecycle';

type CommandEvent = Extract<
  SubscriptionEvent,
  { readonly type: `${AllowedAction}Requested` | 'reviewDecided' }
>;

/** The commands for subscriptions. */
@Injectable()
export class SubscriptionCommands {
  constructor(
    @Inject(CommandSender) private readonly commands: CommandSender,
    @Inject(SubscriptionRows) private readonly rows: SubscriptionRows,
  ) {}

  /** Suspends, reactivates or cancels. See `CommandSender.send`. */
  async change(
    caller: Caller,
    action: AllowedAction,
    { id, idempotencyKey, request }: { id: string; idempotencyKey: string; request: ChangeRequest },
  ): Promise<CommandAnswer<SubscriptionView>> {
    // The provider requires a note.
    const note = withoutEmails(request.note ?? `Asked for by the merchant: ${action}`);
    return await this.send(caller, {
      kind: action,
      subjectId: id,
      idempotencyKey,
      bodyHash: bodyHash(request),
      parameters: { note },
      event: (commandId) => ({ type: `${action}Requested`, commandId, note }),
    });
  }

  /** Decides a review. See `CommandSender.send`. */
  async decide(
    caller: Caller,
    idempotencyKey: string,
    id: string,
    request: SubscriptionDecisionRequest,
  ): Promise<CommandAnswer<SubscriptionView>> {
    return await this.send(caller, decisionCommand(id, idempotencyKey, request));
  }

  private async send(
    caller: Caller,
    request: CommandRequest<CommandEvent>,
  ): Promise<CommandAnswer<SubscriptionView>> {
    return await this.commands.send<SubscriptionView, CommandEvent>(caller, request, {
      read: () => this.rows.get(caller, request.subjectId),
      refusalOf: ({ state }, event) => refusalIn(transition(state, event, Date.now())),
      hasEnded: ({ status }) => isTerminal(status),
      problemOf: (row, kind, { code = 'provider_refused', reason }) =>
        new Problem(kind === 'refused' ? 'conflict' : 'payment-declined', {
          code,
          ...(reason !== undefined && { detail: reason }),
          currentState: row.status,
          allowedActions: allowedActions(row.state, Date.now()),
          subscriptionId: row.id,
        }),
    });
  }
}
