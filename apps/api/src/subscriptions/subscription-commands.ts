import { Inject, Injectable } from '@nestjs/common';
import type { CommandResult } from '#database/schema';
import type { SubscriptionView } from '#database/subjects';
import { withoutEmails } from '#database/text';
import {
  type SubscriptionEvent,
  type SubscriptionRefusalCode,
  isTerminal,
  type AllowedAction,
  allowedActions,
  transition,
} from '#workflows/lifecycle/subscription';
import type { Caller } from '../auth/api-keys.js';
import { decisionCommand } from '../reviews/decision.js';
import { type CommandAnswer, type CommandRequest, CommandSender } from '../commands/command-sender.js';
import { bodyHash } from '../commands/idempotency.js';
import { commonActions } from '../wire/links.js';
import { Problem, invalid } from '../problems/problem.js';
import type {
  BillBalanceRequest,
  ChangeRequest,
  SetBalanceRequest,
  SubscriptionDecisionRequest,
} from './subscription-requests.js';
import { SubscriptionRows } from '../rows/subscription-rows.js';
import { type Money, refusalIn } from '#workflows/lifecycle';

type CommandEvent = Extract<
  SubscriptionEvent,
  { readonly type: `${AllowedAction}Requested` | 'reviewDecided' }
>;

/** A change of the agreement's state. */
export type Change = Exclude<AllowedAction, 'billBalance' | 'setBalance'>;

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
    action: Change,
    { id, idempotencyKey, request }: { id: string; idempotencyKey: string; request: ChangeRequest },
  ): Promise<CommandAnswer<SubscriptionView>> {
    const note = noteOf(request, action);
    return await this.send(caller, {
      kind: action,
      subjectId: id,
      idempotencyKey,
      bodyHash: bodyHash(request),
      parameters: { note },
      event: (commandId) => ({ type: `${action}Requested`, commandId, note }),
    });
  }

  /** Collects what is outstanding. See `CommandSender.send`. */
  async billBalance(
    caller: Caller,
    { id, idempotencyKey, request }: { id: string; idempotencyKey: string; request: BillBalanceRequest },
  ): Promise<CommandAnswer<SubscriptionView>> {
    const { amount } = request;
    const parameters = { note: noteOf(request, 'bill the balance'), ...(amount && { minor: amount.minor }) };
    const asked: CommandRequest<CommandEvent> = {
      kind: 'billBalance',
      subjectId: id,
      idempotencyKey,
      bodyHash: bodyHash(request),
      parameters,
      event: (commandId) => ({ type: 'billBalanceRequested', commandId, ...parameters }),
    };
    return await this.send(caller, asked, (row) => assertCurrency(row, '/amount', amount));
  }

  /** Forgives what is outstanding above a balance. See `CommandSender.send`. */
  async setBalance(
    caller: Caller,
    { id, idempotencyKey, request }: { id: string; idempotencyKey: string; request: SetBalanceRequest },
  ): Promise<CommandAnswer<SubscriptionView>> {
    const { balance } = request;
    const parameters = { note: noteOf(request, 'set the balance'), minor: balance.minor };
    const asked: CommandRequest<CommandEvent> = {
      kind: 'setBalance',
      subjectId: id,
      idempotencyKey,
      bodyHash: bodyHash(request),
      parameters,
      event: (commandId) => ({ type: 'setBalanceRequested', commandId, ...parameters }),
    };
    return await this.send(caller, asked, (row) => assertCurrency(row, '/balance', balance));
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
    check?: (row: SubscriptionView) => void,
  ): Promise<CommandAnswer<SubscriptionView>> {
    return await this.commands.send<SubscriptionView, CommandEvent>(caller, request, {
      read: () => this.rows.get(caller, request.subjectId),
      refusalOf: (row, event) => {
        check?.(row);
        return refusalIn(transition(row.state, event, Date.now()));
      },
      hasEnded: ({ status }) => isTerminal(status),
      problemOf,
    });
  }
}

function assertCurrency({ state }: SubscriptionView, pointer: string, money: Money | undefined): void {
  const { currency } = state.order;
  if (!money || money.currency === currency) return;
  throw invalid({ pointer: `${pointer}/currency`, detail: `must be ${currency}, as in the plan` });
}

/** Where the request has the amount that is refused so. */
const pointers: Readonly<Partial<Record<string, string>>> = {
  amount_exceeds_outstanding: '/amount',
  balance_not_lower: '/balance',
} satisfies Partial<Record<SubscriptionRefusalCode, string>>;

/** The provider requires a note. */
function noteOf({ note }: ChangeRequest, what: string): string {
  return withoutEmails(note ?? `Asked for by the merchant: ${what}`);
}

/** 402 when the provider declined it, 409 or, for its amount, 422 when we refused it. */
function problemOf(
  row: SubscriptionView,
  kind: 'refused' | 'failed',
  { code = 'provider_refused', reason }: Partial<CommandResult>,
): Problem {
  const pointer = pointers[code];
  if (pointer !== undefined && reason !== undefined) return invalid({ pointer, detail: reason });
  return new Problem(kind === 'refused' ? 'conflict' : 'payment-declined', {
    code,
    ...(reason !== undefined && { detail: reason }),
    currentState: row.status,
    allowedActions: [...allowedActions(row.state, Date.now()), ...commonActions(row)],
    subscriptionId: row.id,
  });
}
