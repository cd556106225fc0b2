import type { Database } from '#database/connection';
import type { ClaimedForRestart } from '#database/reconciliation';
import type { CommandRow } from '#database/schema';
import type { SubjectRecords } from '#database/transitions';
import type { RunMessage, RunStart, Subject } from '#workflows/contract';
import type { LifecycleState, Position, Restarted } from '#workflows/lifecycle';

/** How the runs of one kind of subject are checked, sent missed commands, and replaced. */
export interface WatchedKind<State extends LifecycleState> {
  readonly records: SubjectRecords<State>;
  /** The statuses that are not an end. */
  readonly open: readonly string[];
  restartFrom(rows: Position<State>, now: number): Restarted<State>;
  /** A run that continues from the rows. What the rows do not have is marked as lost in its state. */
  restartedRun(
    db: Database,
    subject: Subject,
    taken: ClaimedForRestart<State> & { readonly waiting: readonly RunMessage[] },
    publicUrl: string,
  ): Promise<RunStart>;
  /**
   * The message of a command, built from the command's row: the same message, with the same id, as when it was
   * accepted. Undefined for commands that are not sent as messages.
   */
  messageOf(command: CommandRow): RunMessage | undefined;
  /** The statuses in which the payer can cancel, where one approves. */
  readonly cancellable?: readonly string[];
}
