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
import { type CommandAnswer, type CommandRequest, Commands } from '../commands/commands.js';
import { bodyHash } from '../commands/idempotency.js';
import { Problem } from '../problems/problem.js';
import type { ChangeRequest, SubscriptionDecisionRequest } from './subscription-requests.js';
import { SubscriptionRows } from './subscription-rows.js';
import { refusalIn } from '#workflows/lifecycle';

type CommandEvent = Extract<
  SubscriptionEvent,
  { readonly type: `${AllowedAction}Requested` | 'reviewDecided' }
>;

/** What is asked of subscriptions. */
@Injectable()
export class SubscriptionCommands {
  constructor(
    @Inject(Commands) private readonly commands: Commands,
    @Inject(SubscriptionRows) private readonly rows: SubscriptionRows,
  ) {}

  /** Suspends, reactivates or cancels. See `Commands.give`. */
  async change(
    caller: Caller,
    action: AllowedAction,
    { id, idempotencyKey, request }: { id: string; idempotencyKey: string; request: ChangeRequest },
  ): Promise<CommandAnswer<SubscriptionView>> {
    // The provider wants one.
    const note = withoutEmails(request.note ?? `Asked for by the merchant: ${action}`);
    return await this.give(caller, {
      kind: action,
      subjectId: id,
      idempotencyKey,
      bodyHash: bodyHash(request),
      parameters: { note },
      event: (commandId) => ({ type: `${action}Requested`, commandId, note }),
    });
  }

  /** Decides what is under review. See `Commands.give`. */
  async decide(
    caller: Caller,
    idempotencyKey: string,
    id: string,
    request: SubscriptionDecisionRequest,
  ): Promise<CommandAnswer<SubscriptionView>> {
    return await this.give(caller, decisionCommand(id, idempotencyKey, request));
  }

  private async give(
    caller: Caller,
    request: CommandRequest<CommandEvent>,
  ): Promise<CommandAnswer<SubscriptionView>> {
    return await this.commands.give<SubscriptionView, CommandEvent>(caller, request, {
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
