import { Inject, Injectable } from '@nestjs/common';
import type { PaymentWithRefunds } from '#database/subjects';
import type { PaymentDecision, RunEvent } from '#workflows/contract';
import { isTerminal, transition } from '#workflows/lifecycle/payment';
import type { Caller } from '../auth/api-keys.js';
import { type CommandAnswer, type CommandRequest, CommandSender } from '../commands/command-sender.js';
import { decisionCommand } from '../reviews/decision.js';
import { problemOfCommand } from './command-problem.js';
import type { PaymentDecisionRequest } from './payment-requests.js';
import { PaymentRows } from '../rows/payment-rows.js';
import { refusalIn } from '#workflows/lifecycle';

/** A requested command, such as a capture, a void or a decision. */
export interface PaymentCommand extends CommandRequest<PaymentCommandEvent> {
  /** @throws {Problem} for a request that does not fit this payment, whatever its state. */
  readonly check?: (payment: PaymentWithRefunds) => void;
}

export type PaymentCommandEvent =
  Extract<RunEvent, { readonly commandId: string }> | PaymentDecision['event'];

/** The commands for payments. */
@Injectable()
export class PaymentCommands {
  constructor(
    @Inject(CommandSender) private readonly commands: CommandSender,
    @Inject(PaymentRows) private readonly rows: PaymentRows,
  ) {}

  /** Decides a review. See `CommandSender.send`. */
  async decide(
    caller: Caller,
    idempotencyKey: string,
    id: string,
    request: PaymentDecisionRequest,
  ): Promise<CommandAnswer<PaymentWithRefunds>> {
    return await this.send(caller, decisionCommand(id, idempotencyKey, request));
  }

  /** See `CommandSender.send`. */
  async send(caller: Caller, request: PaymentCommand): Promise<CommandAnswer<PaymentWithRefunds>> {
    return await this.commands.send<PaymentWithRefunds, PaymentCommandEvent>(caller, request, {
      read: () => this.rows.get(caller, request.subjectId),
      readWithCommand: (commandId) => this.rows.getWithCommand(caller, request.subjectId, commandId),
      refusalOf: (payment, event) => {
        request.check?.(payment);
        return refusalIn(transition(payment.state, event, Date.now()));
      },
      hasEnded: ({ status }) => isTerminal(status),
      isShown: ({ waits_since: since }, { updated_at: writtenAt }) => since === null || writtenAt < since,
      problemOf: problemOfCommand,
    });
  }
}
