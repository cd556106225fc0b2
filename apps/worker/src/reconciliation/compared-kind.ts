import type { SubjectRecords } from '#database/transitions';
import type { PaymentsClient } from '#payments-client';
import type { RunStart, Subject } from '#workflows/contract';
import type { Difference } from '#workflows/lifecycle';
import type { MaintenanceContext } from '../context.js';

/** How the subjects of one kind are held against what the provider shows of them. */
export interface ComparedKind<State> {
  readonly records: SubjectRecords<State>;
  /** A call under way is looked after by its run; before the first one there is nothing to compare with. */
  isComparable(state: State): boolean;
  /** True while its run owes a read: what it would show is not in the records yet. */
  owesRead(state: State): boolean;
  /**
   * @returns undefined where what is shown has only just come about: its event is on its way.
   * @throws what the client throws: a resource that is not there, an answer that cannot be read, a provider that is away.
   */
  differences(comparison: ComparisonOf<State>): Promise<readonly Difference[] | undefined>;
  /** The run that reads what comes after the end, where anything can. */
  runAfterEnd?(subject: Subject, state: State): RunStart;
}

export interface ComparisonOf<State> {
  readonly context: MaintenanceContext;
  readonly client: PaymentsClient;
  readonly subject: Subject;
  readonly state: State;
}
