import { Inject, Injectable } from '@nestjs/common';
import type { PaymentWithRefunds } from '#database/subjects';
import type { PaymentDecision, RunEvent } from '#workflows/contract';
import { isTerminal, transition } from '#workflows/lifecycle/payment';
import type { Caller } from '../auth/api-keys.js';
import { type CommandAnswer, type CommandRequest, Commands } from '../commands/commands.js';
import { problemOfCommand } from './command-outcome.js';
import { PaymentRows } from './payment-rows.js';
import { refusalIn } from '#workflows/lifecycle';

/** A capture, a void or a decision as it was asked for. */
export interface PaymentCommand extends CommandRequest<PaymentCommandEvent> {
  /** @throws {Problem} for a request that does not fit this payment, whatever its state. */
  readonly check?: (payment: PaymentWithRefunds) => void;
}

export type PaymentCommandEvent =
  Extract<RunEvent, { readonly commandId: string }> | PaymentDecision['event'];

/** What is asked of payments. */
@Injectable()
export class PaymentCommands {
  constructor(
    @Inject(Commands) private readonly commands: Commands,
    @Inject(PaymentRows) private readonly rows: PaymentRows,
  ) {}

  /** See `Commands.give`. */
  async give(caller: Caller, request: PaymentCommand): Promise<CommandAnswer<PaymentWithRefunds>> {
    return await this.commands.give<PaymentWithRefunds, PaymentCommandEvent>(caller, request, {
      read: () => this.rows.get(caller, request.subjectId),
      refusalOf: (payment, event) => {
        request.check?.(payment);
        return refusalIn(transition(payment.state, event, Date.now()));
      },
      hasEnded: ({ status }) => isTerminal(status),
      problemOf: problemOfCommand,
    });
  }
}
