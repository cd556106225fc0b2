import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import {
  acceptCommand,
  findCommand,
  findExisting,
  refuseCommand,
} from '../../../../libs/database/src/commands.js';
import type { Database } from '../../../../libs/database/src/database.js';
import { findPayment } from '../../../../libs/database/src/payments.js';
import type { CommandKind, CommandRow, PaymentRow } from '../../../../libs/database/src/schema.js';
import type { PaymentWithRefunds } from '../../../../libs/database/src/payments.js';
import type { DecisionMessage, PaymentIdentity, RunEvent } from '../../../../libs/workflows/src/contract.js';
import { isTerminal } from '../../../../libs/workflows/src/lifecycle/payment.js';
import { decide } from '../../../../libs/workflows/src/lifecycle/transition.js';
import { type ApiConfig, apiConfig } from '../api-config.js';
import type { Caller } from '../auth/api-keys.js';
import { databaseToken } from '../database-token.js';
import { PaymentRuns } from '../../../../libs/runs/src/payment-runs.js';
import { TemporalAwayError } from '../../../../libs/runs/src/temporal-away-error.js';
import { assertNotRejected, isFinal, refused } from './command-outcome.js';
import { assertSameRequest } from './idempotency.js';
import { PaymentChanges } from './payment-changes.js';
import { PaymentRows } from './payment-rows.js';

/** A capture, a void or a decision as it was asked for. */
export interface CommandRequest {
  readonly kind: Exclude<CommandKind, 'create'>;
  readonly paymentId: string;
  readonly idempotencyKey: string;
  readonly bodyHash: string;
  readonly parameters: Record<string, unknown>;
  /** What the run is told, once the command has its id. */
  readonly event: (
    commandId: string,
  ) => Extract<RunEvent, { readonly commandId: string }> | DecisionMessage['event'];
  /** @throws {Problem} for a request that does not fit this payment, whatever its state. */
  readonly check?: (payment: PaymentRow) => void;
}

export interface CommandAnswer {
  readonly command: CommandRow;
  readonly payment: PaymentWithRefunds;
}

/** Commits a command, hands it to the run, and waits for what comes of it. The row is the authority, not the signal. */
@Injectable()
export class PaymentCommands {
  constructor(
    @Inject(databaseToken) private readonly db: Database,
    @Inject(PaymentRuns) private readonly runs: PaymentRuns,
    @Inject(PaymentChanges) private readonly changes: PaymentChanges,
    @Inject(PaymentRows) private readonly rows: PaymentRows,
    @Inject(apiConfig) private readonly config: ApiConfig,
  ) {}

  /**
   * @returns the command as it stands when it has succeeded, or when the waiting is over.
   * @throws {Problem} 402, 404, 409 or 422.
   * @throws {TemporalAwayError} when the run may not have got it; the same request again hands it over.
   */
  async give(caller: Caller, request: CommandRequest): Promise<CommandAnswer> {
    const payment = await this.rows.get(caller, request.paymentId);
    const command = await this.accept(caller, request, payment);
    if (command.status === 'accepted') await this.handOver(payment, command, request);
    const answer = await this.changes.until(payment.id, this.config.answerWithinMs, {
      look: () => this.read(caller, command),
      satisfies: (seen) => isFinal(seen.command),
      known: { command, payment },
    });
    assertNotRejected(answer.command, answer.payment);
    return answer;
  }

  private async accept(caller: Caller, request: CommandRequest, payment: PaymentRow): Promise<CommandRow> {
    const { environment, application } = caller;
    // A repeated request gets its own outcome, even when the payment would by now refuse a new one.
    const earlier = await findExisting(this.db, {
      environment,
      application,
      idempotencyKey: request.idempotencyKey,
    });
    if (!earlier) this.assertAllowed(request, payment);
    const { row } = earlier
      ? { row: earlier }
      : await acceptCommand(this.db, {
          id: `cmd_${randomBytes(16).toString('hex')}`,
          environment,
          application,
          idempotencyKey: request.idempotencyKey,
          bodyHash: request.bodyHash,
          kind: request.kind,
          paymentId: payment.id,
          parameters: request.parameters,
          requestedBy: `api-key:${caller.keyId}`,
        });
    assertSameRequest(row, request);
    return row;
  }

  /** The run decides in the end; asking the same table beforehand spares the order service the way there. */
  private assertAllowed(request: CommandRequest, payment: PaymentRow): void {
    request.check?.(payment);
    const decision = decide(payment.state, request.event(''), Date.now());
    if (decision.kind === 'refused') throw refused(decision.refusal, payment);
  }

  private async handOver(payment: PaymentRow, command: CommandRow, request: CommandRequest): Promise<void> {
    const { environment, application } = payment;
    const identity = { environment, application, paymentId: payment.id };
    const refusal = await this.tellRun(identity, command.id, request.event(command.id));
    if (refusal) await refuseCommand(this.db, command.id, refusal);
  }

  /** A decision is answered by the run itself; what is asked of a hold waits in line, for its outcome is in the rows. */
  private async tellRun(
    identity: PaymentIdentity,
    id: string,
    event: ReturnType<CommandRequest['event']>,
  ): Promise<{ readonly code: string; readonly reason: string } | undefined> {
    if (event.type === 'reviewDecided') return await this.putToRun(identity, { id, event });
    if (await this.runs.signal(identity, { id, event })) return undefined;
    // A run that is gone before its payment has ended gets another one, which is told of what was accepted meanwhile.
    if (!(await this.hasEnded(identity))) return undefined;
    return { code: 'not_allowed_in_state', reason: 'The payment has ended.' };
  }

  /** @throws {TemporalAwayError} while a run that is gone before its payment has ended is not replaced. */
  private async putToRun(identity: PaymentIdentity, message: DecisionMessage) {
    const answer = await this.runs.decide(identity, message);
    if (answer !== 'gone') return answer;
    if (!(await this.hasEnded(identity))) throw new TemporalAwayError('no-run');
    return { code: 'not_allowed_in_state', reason: 'The payment has ended.' };
  }

  /** Read after its run was found gone, so that the row shows what the run wrote last. */
  private async hasEnded(identity: PaymentIdentity): Promise<boolean> {
    const payment = await findPayment(this.db, identity);
    return payment !== undefined && isTerminal(payment.status);
  }

  /** The command before the payment: the run writes both at once, so the payment read is at least as new. */
  private async read(caller: Caller, { id, payment_id }: CommandRow): Promise<CommandAnswer> {
    const command = await findCommand(this.db, id);
    if (!command) throw new TypeError('a command has lost its row');
    return { command, payment: await this.rows.get(caller, payment_id) };
  }
}
