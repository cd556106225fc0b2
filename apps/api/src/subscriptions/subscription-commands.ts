import { Inject, Injectable } from '@nestjs/common';
import type { SubscriptionRow } from '../../../../libs/database/src/schema.js';
import { withoutEmails } from '../../../../libs/database/src/storable-text.js';
import type { SubscriptionRunEvent } from '../../../../libs/workflows/src/contract/subscription.js';
import { isTerminal } from '../../../../libs/workflows/src/lifecycle/subscription/subscription.js';
import {
  type AllowedAction,
  allowedActions,
  decide,
} from '../../../../libs/workflows/src/lifecycle/subscription/transition.js';
import type { Caller } from '../auth/api-keys.js';
import { type CommandAnswer, Commands } from '../commands/commands.js';
import { bodyHash } from '../commands/idempotency.js';
import { Problem } from '../problems/problem.js';
import type { ChangeRequest } from './subscription-requests.js';
import { SubscriptionRows } from './subscription-rows.js';
import { refusalIn } from '../../../../libs/workflows/src/lifecycle/lifecycle.js';

type RequestedChange = Extract<SubscriptionRunEvent, { readonly commandId: string }>;

/** What is asked of subscriptions. */
@Injectable()
export class SubscriptionCommands {
  constructor(
    @Inject(Commands) private readonly commands: Commands,
    @Inject(SubscriptionRows) private readonly rows: SubscriptionRows,
  ) {}

  /** See `Commands.give`. */
  async give(
    caller: Caller,
    action: AllowedAction,
    { id, idempotencyKey, request }: { id: string; idempotencyKey: string; request: ChangeRequest },
  ): Promise<CommandAnswer<SubscriptionRow>> {
    // The provider wants one.
    const note = withoutEmails(request.note ?? `Asked for by the merchant: ${action}`);
    return await this.commands.give<SubscriptionRow, RequestedChange>(
      caller,
      {
        kind: action,
        subjectId: id,
        idempotencyKey,
        bodyHash: bodyHash(request),
        parameters: { note },
        event: (commandId) => ({ type: `${action}Requested`, commandId, note }),
      },
      {
        read: () => this.rows.get(caller, id),
        refusalOf: ({ state }, event) => refusalIn(decide(state, event, Date.now())),
        hasEnded: ({ status }) => isTerminal(status),
        problemOf: (row, kind, { code = 'provider_refused', reason }) =>
          new Problem(kind === 'refused' ? 'conflict' : 'payment-declined', {
            code,
            ...(reason !== undefined && { detail: reason }),
            currentState: row.status,
            allowedActions: allowedActions(row.state, Date.now()),
            subscriptionId: row.id,
          }),
      },
    );
  }
}
