import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import {
  type NewCommand,
  acceptAtVersion,
  acceptCommand,
  findCommand,
  findExisting,
  mayRepeatLost,
  refuseAfterEnd,
  refuseCommand,
} from '#database/commands';
import type { Database } from '#database/connection';
import type { CommandKind, CommandResult, CommandRow } from '#database/schema';
import { Runs, TemporalAwayError } from '#runs';
import type { DecisionMessage, Subject } from '#workflows/contract';
import type { Refusal } from '#workflows/lifecycle';
import { stepUnderReview } from '#workflows/lifecycle/step';
import { type ApiConfig, apiConfig } from '../injected/api-config.js';
import type { Caller } from '../auth/api-keys.js';
import { askedCommand } from './asked-command.js';
import { databaseToken } from '../injected/database-token.js';
import type { Problem } from '../problems/problem.js';
import { withDecline } from './declines.js';
import { expectedVersions } from './if-match.js';
import { ChangeWaits } from './wait-for-change.js';
import { assertSameRequest } from './idempotency.js';

/** A request about an existing payment, subscription or payout. */
export interface CommandRequest<Event extends { readonly type: string } = { readonly type: string }> {
  readonly kind: Exclude<CommandKind, 'create'>;
  readonly subjectId: string;
  readonly idempotencyKey: string;
  readonly bodyHash: string;
  readonly parameters: Record<string, unknown>;
  /** The event for the run. */
  readonly event: (commandId: string) => Event;
}

/** The subject of a command, by its rows. */
export interface CommandTarget<Row extends AskedRow, Event> {
  /** @throws {Problem} 404. */
  read(): Promise<Row>;
  /** The same with a command, by one read; default: one after the other. */
  readWithCommand?(commandId: string): Promise<CommandAnswer<Row>>;
  /** Why the lifecycle refuses the event now. The run's own answer is final. */
  refusalOf(row: Row, event: Event): Refusal | undefined;
  hasEnded(row: Row): boolean;
  /** False while the row does not show yet what the command has done; default: it always does. */
  isShown?(row: Row, command: CommandRow): boolean;
  /** The problem document for a refusal, or for a failure at the provider. */
  problemOf(row: Row, kind: 'refused' | 'failed', result: Partial<CommandResult>): Problem;
}

/** The parts of a subject's row that commands use. */
interface AskedRow {
  readonly id: string;
  readonly state: { readonly openStep?: unknown };
}

export interface CommandAnswer<Row> {
  readonly command: CommandRow;
  readonly row: Row;
}

/** Commits a command, sends it to the run, and waits for its outcome. The row is the authority, not the signal. */
@Injectable()
export class CommandSender {
  constructor(
    @Inject(databaseToken) private readonly db: Database,
    @Inject(Runs) private readonly runs: Runs,
    @Inject(ChangeWaits) private readonly changes: ChangeWaits,
    @Inject(apiConfig) private readonly config: ApiConfig,
  ) {}

  /**
   * @returns the command when it has succeeded, or when the time is over.
   * @throws {Problem} 402, 404, 409 or 422.
   * @throws {TemporalAwayError} if the run may not have got it; a repeat of the request sends it again.
   */
  async send<Row extends AskedRow, Event extends { readonly type: string }>(
    caller: Caller,
    request: CommandRequest<Event>,
    target: CommandTarget<Row, Event>,
  ): Promise<CommandAnswer<Row>> {
    const row = await target.read();
    const command = await this.accept(caller, request, target, row);
    const handOver = async () =>
      command.status === 'accepted' && (await this.handOver(command, request, target));
    const answer = await this.changes.after(handOver, row.id, this.config.answerWithinMs, {
      read: () => this.readAnswer(command.id, target),
      satisfies: (seen) => isFinal(seen.command) && !isAhead(seen, target),
      // The row is older than the command, so it shows nothing of a request that has succeeded or failed already.
      ...(!isCarriedOut(command) && { known: { command, row } }),
    });
    const { status, result } = answer.command;
    if (status === 'refused' || status === 'failed') {
      const problem = target.problemOf(answer.row, status, result ?? {});
      throw status === 'failed' ? await withDecline(this.db, problem, row.id, command.id) : problem;
    }
    // Status and row are of one instant: while the row waits, the command is still under way.
    return isAhead(answer, target)
      ? { ...answer, command: { ...answer.command, status: 'executing' } }
      : answer;
  }

  private async accept<Row extends AskedRow, Event extends { readonly type: string }>(
    caller: Caller,
    request: CommandRequest<Event>,
    target: CommandTarget<Row, Event>,
    row: Row,
  ): Promise<CommandRow> {
    const { kind, subjectId, idempotencyKey, bodyHash, parameters } = request;
    const asked = askedCommand(caller, {
      id: commandIdOf(caller, idempotencyKey),
      idempotencyKey,
      bodyHash,
      kind,
      subjectId,
      parameters: kind === 'decide' ? { ...parameters, step: stepUnderReview(row.state) } : parameters,
    });
    const found = await this.acceptOrFind(asked, () => target.refusalOf(row, request.event('')));
    assertSameRequest(found.row, { ...request, ...(found.isNew && { id: asked.id }) });
    return found.row;
  }

  /**
   * A repeated request gets its own outcome, even if a new request would be refused now: its row is there, and nothing is
   * inserted.
   *
   * @param refusalOf is asked here first, so that a wrong request gets its answer without the run. The refusal is kept
   *   under the key, as a refusal by the run is. It may throw for a request that is not kept. If the request may be a
   *   repeat of one that was lost in a restore, only the run can tell.
   */
  private async acceptOrFind(
    asked: NewCommand,
    refusalOf: () => Refusal | undefined,
  ): Promise<{ readonly row: CommandRow; readonly isNew: boolean }> {
    let refusal: Refusal | undefined;
    try {
      refusal = refusalOf();
    } catch (error) {
      const earlier = await findExisting(this.db, asked);
      if (earlier) return { row: earlier, isNew: false };
      throw error;
    }
    const isForRun = refusal && (await mayRepeatLost(this.db, { id: asked.id, subject_id: asked.subjectId }));
    const kept = isForRun ? undefined : refusal;
    const versions = expectedVersions();
    return versions
      ? await acceptAtVersion(this.db, asked, kept, versions)
      : await acceptCommand(this.db, asked, kept);
  }

  /** @returns whether the run is to answer; false if the command has been refused here. */
  private async handOver<Row extends AskedRow, Event extends { readonly type: string }>(
    command: CommandRow,
    request: CommandRequest<Event>,
    target: CommandTarget<Row, Event>,
  ): Promise<boolean> {
    const { environment, application, subject_id: id } = command;
    // The step as it was accepted: a decision that is sent again is about the same step.
    const { step } = command.parameters as { readonly step?: number };
    const event = { ...request.event(command.id), ...(step !== undefined && { step }) };
    const refusal = await this.sendToRun({ environment, application, id }, { id: command.id, event }, target);
    if (refusal === 'ended') await refuseAfterEnd(this.db, command);
    else if (refusal) await refuseCommand(this.db, command.id, refusal);
    return refusal === undefined;
  }

  /** The run answers a decision itself. Any other request is a signal, and its outcome is in the rows. */
  private async sendToRun<Row extends AskedRow, Event extends { readonly type: string }>(
    subject: Subject,
    message: { readonly id: string; readonly event: Event },
    target: CommandTarget<Row, Event>,
  ): Promise<Refusal | 'ended' | undefined> {
    if (isDecision(message)) {
      const answer = await this.runs.decide(subject, message);
      if (answer !== 'gone') return answer;
      // The run is lost and its subject is open: until the run is restarted, nothing can take the decision.
      if (!(await this.hasEnded(target))) throw new TemporalAwayError('no-run');
      return 'ended';
    }
    if (await this.runs.signal(subject, message)) return undefined;
    // If the subject is open, reconciliation restarts its run and sends it the accepted commands.
    return (await this.hasEnded(target)) ? 'ended' : undefined;
  }

  /** Reads the row after the run was found gone, so that it shows the run's last write. */
  private async hasEnded<Row extends AskedRow>(target: CommandTarget<Row, never>): Promise<boolean> {
    return target.hasEnded(await target.read());
  }

  /** Reads the command before the row: the run writes both at once, so the row is at least as new. */
  private async readAnswer<Row extends AskedRow>(
    commandId: string,
    target: CommandTarget<Row, never>,
  ): Promise<CommandAnswer<Row>> {
    if (target.readWithCommand) return await target.readWithCommand(commandId);
    const command = await findCommand(this.db, commandId);
    if (!command) throw new TypeError('an accepted command has no row');
    return { command, row: await target.read() };
  }
}

/**
 * Made from the key: a request that is repeated after its row was lost has the message id that its run knows
 * (docs/decisions/0033).
 */
function commandIdOf({ environment, application }: Caller, idempotencyKey: string): string {
  const named = JSON.stringify([environment, application, idempotencyKey]);
  return `cmd_${createHash('sha256').update(named).digest('hex').slice(0, 32)}`;
}

export function isFinal(command: CommandRow): boolean {
  return command.status === 'refused' || isCarriedOut(command);
}

function isCarriedOut({ status }: CommandRow): boolean {
  return status === 'succeeded' || status === 'failed';
}

/** The command has succeeded, and the row does not show it yet. */
function isAhead<Row extends AskedRow>(
  { command, row }: CommandAnswer<Row>,
  target: CommandTarget<Row, never>,
): boolean {
  return command.status === 'succeeded' && target.isShown?.(row, command) === false;
}

function isDecision(message: {
  readonly id: string;
  readonly event: { readonly type: string };
}): message is DecisionMessage {
  return message.event.type === 'reviewDecided';
}
