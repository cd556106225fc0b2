import type { CommandKind } from '#database/schema';
import type { CommandOutcome, SubjectRecords, Transition } from '#database/transitions';
import type { RejectedError } from '#payments-client';
import type { ActivityInput, Subject } from '#workflows/contract';
import type {
  Lifecycle,
  LifecycleEvent,
  LifecycleState,
  WaitPolicy,
  TimelineEntry,
} from '#workflows/lifecycle';
import type { OpenStep, StepEvent, StepOf, SteppingState, DecisionRefused } from '#workflows/lifecycle/step';
import type { ActivityContext } from './context.js';

/** The recorded calls to the provider that led to a transition. */
export type Calls = NonNullable<Transition['calls']>;

/** How the transitions of one lifecycle are written to rows. */
export interface SubjectWriter<Identity, State extends LifecycleState, Event extends LifecycleEvent> {
  readonly lifecycle: Lifecycle<State, Event, { readonly type: string }>;
  readonly records: SubjectRecords<State>;
  subjectOf(identity: Identity): Subject;
  /** The outcomes of the commands in the new timeline lines: refused ones, and an operator's decisions. */
  commandsIn(timeline: readonly TimelineEntry[]): readonly CommandOutcome[];
}

/** The same for a lifecycle with steps. */
export interface StepWriter<
  Identity,
  State extends SteppingState<Step>,
  Event extends LifecycleEvent,
  Step extends StepOf,
> extends SubjectWriter<Identity, State, Event | StepEvent | DecisionRefused> {
  waitPolicyOf(state: State): WaitPolicy;
  /** The step's permanent name: with the number of an attempt it identifies one POST. */
  nameOfStep(openStep: OpenStep<Step>): string;
  /** The command that a step carries out, if any. */
  commandOf(step: Step, state: State): { readonly commandId: string; readonly kind: CommandKind } | undefined;
  /** The outcome of that command, from the outcome of its step. */
  outcomeOfStep(
    step: Step,
    event: Event | StepEvent | DecisionRefused,
    after: State,
  ): CommandOutcome | undefined;
  /** The event of a refusal that means more to this lifecycle than "step declined". */
  eventOfRefusal?(error: RejectedError): Event | undefined;
}

/** The context of an activity that makes no attempt. */
export interface RecordingWork<Identity, State extends LifecycleState, Event extends LifecycleEvent> {
  readonly context: ActivityContext;
  readonly writer: SubjectWriter<Identity, State, Event>;
}

/** The context of an activity: the parts of the process, and the writer of the lifecycle's rows. */
export interface Work<
  Identity,
  State extends SteppingState<Step>,
  Event extends LifecycleEvent,
  Step extends StepOf,
> {
  readonly context: ActivityContext;
  readonly writer: StepWriter<Identity, State, Event, Step>;
}

/** The status and task of a write, by which a late write is recognized. */
export function taskOf({
  state,
  knownStatus = state.status,
  taskStartedAt,
}: ActivityInput<unknown, LifecycleState>): Pick<Transition, 'knownStatus' | 'taskStartedAt'> {
  return { knownStatus, taskStartedAt };
}
