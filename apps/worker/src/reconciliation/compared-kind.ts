import type { SubjectRecords } from '#database/transitions';
import type { PaymentsClient } from '#payments-client';
import type { RunStart, Subject } from '#workflows/contract';
import type { Difference } from '#workflows/lifecycle';
import type { MaintenanceContext } from '../steps/activities/context.js';

/** How subjects of one kind are compared with the provider's records. */
export interface ComparedKind<State> {
  readonly records: SubjectRecords<State>;
  /** False during a call, which the run watches, and before the first call, when there is nothing to compare. */
  isComparable(state: State): boolean;
  /** True while a read by its run is due: our records do not have its result yet. */
  owesRead(state: State): boolean;
  /** True if reads after the end are overdue: the run that makes them may be lost, and then another one reads on. */
  owesAfterEnd?(state: State): boolean;
  /**
   * @returns undefined if the shown state is very new: its event is still on its way.
   * @throws the client's errors: a missing resource, an unreadable answer, a provider that is away.
   */
  differences(comparison: ComparisonOf<State>): Promise<readonly Difference[] | undefined>;
  /** What the hint of a difference says besides. */
  readonly hint?: object;
  /** The run that reads the subject after its end, for subjects that can still change then. */
  runAfterEnd?(subject: Subject, state: State): RunStart;
}

export interface ComparisonOf<State> {
  readonly context: MaintenanceContext;
  readonly client: PaymentsClient;
  readonly subject: Subject;
  readonly state: State;
}
