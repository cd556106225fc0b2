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
import type { ActivityContext } from '../context.js';

/** How the transitions of one lifecycle are kept on record. */
export interface Bookkeeping<Identity, State extends LifecycleState, Event extends LifecycleEvent> {
  readonly lifecycle: Lifecycle<State, Event, { readonly type: string }>;
  readonly records: SubjectRecords<State>;
  subjectOf(identity: Identity): Subject;
  /** What becomes of the commands that the story names: those it refused, and an operator's decisions. */
  commandsIn(timeline: readonly TimelineEntry[]): readonly CommandOutcome[];
}

/** How its steps are kept on record, besides. */
export interface StepBookkeeping<
  Identity,
  State extends SteppingState<Step>,
  Event extends LifecycleEvent,
  Step extends StepOf,
> extends Bookkeeping<Identity, State, Event | StepEvent | DecisionRefused> {
  waitPolicyOf(state: State): WaitPolicy;
  /** The step's name for ever: with the number of an attempt it stands for one POST. */
  nameOfStep(openStep: OpenStep<Step>): string;
  /** The command that a step carries out, if any. */
  commandOf(step: Step, state: State): { readonly commandId: string; readonly kind: CommandKind } | undefined;
  /** What becomes of that command when its step had this outcome. */
  outcomeOfStep(
    step: Step,
    event: Event | StepEvent | DecisionRefused,
    after: State,
  ): CommandOutcome | undefined;
  /** A refusal that means more to this lifecycle than that the step was declined. */
  eventOfRefusal?(error: RejectedError): Event | undefined;
}

/** What an activity that makes no attempt works with. */
export interface RecordingWork<Identity, State extends LifecycleState, Event extends LifecycleEvent> {
  readonly context: ActivityContext;
  readonly books: Bookkeeping<Identity, State, Event>;
}

/** What an activity works with: the process's own, and the books of its lifecycle. */
export interface Work<
  Identity,
  State extends SteppingState<Step>,
  Event extends LifecycleEvent,
  Step extends StepOf,
> {
  readonly context: ActivityContext;
  readonly books: StepBookkeeping<Identity, State, Event, Step>;
}

/** Who writes the rows of a transition, by which they know a late writer. */
export function writerOf({
  state,
  knownStatus = state.status,
  taskStartedAt,
}: ActivityInput<unknown, LifecycleState>): Pick<Transition, 'knownStatus' | 'taskStartedAt'> {
  return { knownStatus, taskStartedAt };
}
