import type { Database } from '#database/connection';
import type { ClaimedForRestart } from '#database/reconciliation';
import type { CommandRow } from '#database/schema';
import type { SubjectRecords } from '#database/transitions';
import type { RunMessage, RunStart, Subject } from '#workflows/contract';
import type { LifecycleState, Position, Restarted } from '#workflows/lifecycle';

/** How the runs of one kind of subject are asked after, told what they were never told, and replaced. */
export interface WatchedKind<State extends LifecycleState> {
  readonly records: SubjectRecords<State>;
  /** Statuses of what has not ended. */
  readonly open: readonly string[];
  restartFrom(rows: Position<State>, now: number): Restarted<State>;
  /** A run that goes on from the rows; whatever it would need besides is known, or it is told that it is not. */
  restartedRun(
    db: Database,
    subject: Subject,
    taken: ClaimedForRestart<State> & { readonly waiting: readonly RunMessage[] },
    publicUrl: string,
  ): Promise<RunStart>;
  /**
   * What a run is told of a command, from the command's row: the same as it was told when it was accepted, under the
   * same id. Undefined for one that no run is told of.
   */
  messageOf(command: CommandRow): RunMessage | undefined;
}
