import type { Database } from '#database/connection';
import type { CommandKind } from '#database/schema';
import type { CommandOutcome, SubjectRecords, Transition } from '#database/transitions';
import type { ActivityInput, ActivityOutcome, Subject } from '#workflows/contract';
import type {
  Lifecycle,
  LifecycleEvent,
  LifecycleState,
  TimelineEntry,
  WaitPolicy,
} from '#workflows/lifecycle';
import type { OpenStep, StepEvent, StepOf, SteppingState, DecisionRefused } from '#workflows/lifecycle/step';
import type { ActivityContext } from './context.js';

/** The recorded calls to the provider that led to a transition. */
export type Calls = NonNullable<Transition['calls']>;

/** The types of one lifecycle. */
export interface Kind {
  readonly identity: unknown;
  readonly state: SteppingState<this['step']>;
  readonly event: LifecycleEvent;
  readonly step: StepOf;
}

export type InputOf<K extends Kind> = ActivityInput<K['identity'], K['state']>;

/** Every event that an activity can report. */
export type Reported<K extends Kind> = K['event'] | StepEvent | DecisionRefused;

export type OutcomeOf<K extends Kind> = ActivityOutcome<Reported<K>>;

/** What refusals of the provider mean, by its codes. */
export type RefusalMeanings<Meaning> = Readonly<Record<string, Meaning>>;

/** How the transitions and steps of one lifecycle are written to rows. */
export interface SubjectWriter<K extends Kind> {
  readonly lifecycle: Lifecycle<K['state'], Reported<K>, { readonly type: string }>;
  readonly records: SubjectRecords<K['state']>;
  subjectOf(identity: K['identity']): Subject;
  waitPolicyOf(state: K['state']): WaitPolicy;
  /** The step's permanent name: with the number of an attempt it identifies one POST. */
  nameOfStep(openStep: OpenStep<K['step']>): string;
  /** The command that a step carries out, if any. */
  commandOf(
    step: K['step'],
    state: K['state'],
  ): { readonly commandId: string; readonly kind: CommandKind } | undefined;
  /** The outcome of that command, from the outcome of its step. */
  outcomeOfStep(step: K['step'], event: Reported<K>, after: K['state']): CommandOutcome | undefined;
  /** The outcomes of the commands in the new timeline lines: refused ones, and an operator's decisions. */
  commandsIn(timeline: readonly TimelineEntry[]): readonly CommandOutcome[];
  /** Adds to an event what the rows say of it; absent: they say nothing. */
  withRows?(db: Database, input: InputOf<K>, event: Reported<K>): Promise<Reported<K>>;
  /**
   * When the provider had made what the open step acts on, at the latest. Absent: a 404 to the step is a refusal, however
   * early.
   *
   * @param begunAt when the step began: the resource was known by then.
   */
  madeAtOf?(state: K['state'], begunAt: number): number | undefined;
  /** Refusals that mean more to this lifecycle than "step declined". */
  readonly refusalMeanings?: RefusalMeanings<K['event']>;
}

/** The context of an activity: the parts of the process, and the writer of the lifecycle's rows. */
export interface Work<K extends Kind> {
  readonly context: ActivityContext;
  readonly writer: SubjectWriter<K>;
}

/** What the run knew of its rows, and its task: by these a late write and lines of a lost task are recognized. */
export function taskOf({
  state,
  knownStatus = state.status,
  knownVersion,
  ownLines,
  taskStartedAt,
}: ActivityInput<unknown, LifecycleState>): Pick<
  Transition,
  'knownStatus' | 'knownVersion' | 'ownLines' | 'taskStartedAt'
> {
  return { knownStatus, knownVersion, ownLines, taskStartedAt };
}
