import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { acceptCommand, findCommand, findExisting, refuseCommand } from '#database/commands';
import type { Database } from '#database/connection';
import type { CommandKind, CommandResult, CommandRow } from '#database/schema';
import { Runs, TemporalAwayError } from '#runs';
import type { DecisionMessage, Subject } from '#workflows/contract';
import type { Refusal } from '#workflows/lifecycle';
import { type ApiConfig, apiConfig } from '../api-config.js';
import type { Caller } from '../auth/api-keys.js';
import { databaseToken } from '../database-token.js';
import type { Problem } from '../problems/problem.js';
import { Changes } from './changes.js';
import { assertSameRequest } from './idempotency.js';

/** Something that is asked of a payment, a subscription or a payout that is there. */
export interface CommandRequest<Event extends { readonly type: string } = { readonly type: string }> {
  readonly kind: Exclude<CommandKind, 'create'>;
  readonly subjectId: string;
  readonly idempotencyKey: string;
  readonly bodyHash: string;
  readonly parameters: Record<string, unknown>;
  /** What the run is told, once the command has its id. */
  readonly event: (commandId: string) => Event;
}

/** What a command is given to, as its rows stand. */
export interface CommandTarget<Row extends { readonly id: string }, Event> {
  /** @throws {Problem} 404. */
  read(): Promise<Row>;
  /** Why the lifecycle would not take it now; the run decides in the end. */
  refusalOf(row: Row, event: Event): Refusal | undefined;
  hasEnded(row: Row): boolean;
  /** What the order service is told of a refusal, or of a failure at the provider. */
  problemOf(row: Row, kind: 'refused' | 'failed', result: Partial<CommandResult>): Problem;
}

export interface CommandAnswer<Row> {
  readonly command: CommandRow;
  readonly row: Row;
}

/** Commits a command, hands it to the run, and waits for what comes of it. The row is the authority, not the signal. */
@Injectable()
export class Commands {
  constructor(
    @Inject(databaseToken) private readonly db: Database,
    @Inject(Runs) private readonly runs: Runs,
    @Inject(Changes) private readonly changes: Changes,
    @Inject(apiConfig) private readonly config: ApiConfig,
  ) {}

  /**
   * @returns the command as it stands when it has succeeded, or when the waiting is over.
   * @throws {Problem} 402, 404, 409 or 422.
   * @throws {TemporalAwayError} when the run may not have got it; the same request again hands it over.
   */
  async give<Row extends { readonly id: string }, Event extends { readonly type: string }>(
    caller: Caller,
    request: CommandRequest<Event>,
    target: CommandTarget<Row, Event>,
  ): Promise<CommandAnswer<Row>> {
    const row = await target.read();
    const command = await this.accept(caller, request, target, row);
    if (command.status === 'accepted') await this.handOver(command, request, target);
    const answer = await this.changes.until(row.id, this.config.answerWithinMs, {
      look: () => this.look(command.id, target),
      satisfies: (seen) => isFinal(seen.command),
      known: { command, row },
    });
    const { status, result } = answer.command;
    if (status === 'refused' || status === 'failed') throw target.problemOf(answer.row, status, result ?? {});
    return answer;
  }

  private async accept<Row extends { readonly id: string }, Event extends { readonly type: string }>(
    caller: Caller,
    request: CommandRequest<Event>,
    target: CommandTarget<Row, Event>,
    row: Row,
  ): Promise<CommandRow> {
    const { environment, application } = caller;
    const { kind, subjectId, idempotencyKey, bodyHash, parameters } = request;
    // A repeated request gets its own outcome, even when a new one would be refused by now.
    const earlier = await findExisting(this.db, { environment, application, idempotencyKey });
    const asked = {
      id: `cmd_${randomBytes(16).toString('hex')}`,
      environment,
      application,
      idempotencyKey,
      bodyHash,
      kind,
      subjectId,
      parameters,
      requestedBy: `api-key:${caller.keyId}`,
    };
    // Asking the table of the lifecycle beforehand spares the order service the way to the run. What is refused here stays
    // refused under its key, as what the run refuses does.
    const refusal = earlier ? undefined : target.refusalOf(row, request.event(''));
    const command = earlier ?? (await acceptCommand(this.db, asked, refusal)).row;
    assertSameRequest(command, request);
    return command;
  }

  private async handOver<Row extends { readonly id: string }, Event extends { readonly type: string }>(
    command: CommandRow,
    request: CommandRequest<Event>,
    target: CommandTarget<Row, Event>,
  ): Promise<void> {
    const { environment, application, subject_id: id } = command;
    const event = request.event(command.id);
    const refusal = await this.tellRun({ environment, application, id }, { id: command.id, event }, target);
    if (refusal) await refuseCommand(this.db, command.id, refusal);
  }

  /** A decision is answered by the run itself; what else is asked waits in line, for its outcome is in the rows. */
  private async tellRun<Row extends { readonly id: string }, Event extends { readonly type: string }>(
    subject: Subject,
    message: { readonly id: string; readonly event: Event },
    target: CommandTarget<Row, Event>,
  ): Promise<Refusal | undefined> {
    if (isDecision(message)) {
      const answer = await this.runs.decide(subject, message);
      if (answer !== 'gone') return answer;
      // Until a run that is gone before its subject has ended is replaced, nobody could take the decision.
      if (!(await this.hasEnded(target))) throw new TemporalAwayError('no-run');
      return ended;
    }
    if (await this.runs.signal(subject, message)) return undefined;
    // A run that is gone before its subject has ended gets another one, which is told of what was accepted meanwhile.
    return (await this.hasEnded(target)) ? ended : undefined;
  }

  /** Read after its run was found gone, so that the row shows what the run wrote last. */
  private async hasEnded<Row extends { readonly id: string }>(
    target: CommandTarget<Row, never>,
  ): Promise<boolean> {
    return target.hasEnded(await target.read());
  }

  /** The command before the row: the run writes both at once, so the row read is at least as new. */
  private async look<Row extends { readonly id: string }>(
    commandId: string,
    target: CommandTarget<Row, never>,
  ): Promise<CommandAnswer<Row>> {
    const command = await findCommand(this.db, commandId);
    if (!command) throw new TypeError('a command has lost its row');
    return { command, row: await target.read() };
  }
}

export function isFinal({ status }: CommandRow): boolean {
  return status === 'succeeded' || status === 'failed' || status === 'refused';
}

const ended: Refusal = { code: 'not_allowed_in_state', reason: 'It has ended.' };

function isDecision(message: {
  readonly id: string;
  readonly event: { readonly type: string };
}): message is DecisionMessage {
  return message.event.type === 'reviewDecided';
}
